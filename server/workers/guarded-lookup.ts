/**
 * Resolves the names of receivers, and refuses where any answer is an address that may not be called. It stands inside the
 * connection, so that the address that was checked is the one that is dialled, whatever the name server answers next.
 */
import type { LookupFunction } from 'node:net'
import { mayConnect, type TargetPolicy } from '../domain/target.ts'
import { inTurns } from './lookups.ts'
import type { Resolve, ResolvedAddress } from './resolve.ts'

/** Code of the error that a connection to a forbidden address ends with. */
export const BLOCKED = 'ERR_BLOCKED_TARGET'

export const blocked = () =>
  Object.assign(new Error('The receiver is at an address that may not be called.'), { code: BLOCKED })

export function guardedLookup(policy: TargetPolicy, resolve: Resolve): LookupFunction {
  const resolveInTurn = inTurns(resolve)
  /** Look-ups under way: each name is asked for once, however many deliveries wait for it. */
  const underWay = new Map<string, Promise<ResolvedAddress[]>>()

  async function checked(host: string): Promise<ResolvedAddress[]> {
    const running = underWay.get(host) ?? resolveInTurn(host).finally(() => underWay.delete(host))
    underWay.set(host, running)
    const found = await running
    if (found.every(({ address }) => mayConnect(host, address, policy))) return found
    throw blocked()
  }

  return (hostname, { family, all }, callback) => {
    const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family
    checked(hostname.toLowerCase().replace(/\.$/, '')).then(
      (found) => {
        const usable = found.filter((one) => !wanted || one.family === wanted)
        const [first] = usable
        if (!first) callback(Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' }), '')
        else if (all) callback(null, usable)
        else callback(null, first.address, first.family)
      },
      (failure: NodeJS.ErrnoException) => callback(failure, ''),
    )
  }
}
