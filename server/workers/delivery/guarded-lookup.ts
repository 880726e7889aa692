/**
 * Looks up the names of receivers, and refuses a name with any address that may not be called. The connection itself uses it,
 * so that the address that was checked is the one that is dialled, even if the name server answers differently next.
 */
import type { LookupFunction } from 'node:net'
import { mayConnect, type TargetPolicy } from '../../domain/delivery/target.ts'
import { createLookups, type Lookup } from './lookups.ts'
import type { Resolve, ResolvedAddress } from './resolve.ts'

/** Code of the error that ends a connection to a forbidden address. */
export const BLOCKED = 'ERR_BLOCKED_TARGET'

export const blocked = () =>
  Object.assign(new Error('The receiver is at an address that may not be called.'), { code: BLOCKED })

/** Called with how far the look-up for a connection has come. */
export interface LookupWatch {
  /** Other names are looked up first. */
  waits(): void
  /** The turn of this name has come. */
  begins(): void
}

/** Makes the look-up of one connection, for a callback of this organization. */
export type GuardedLookup = (organizationId: number, watch?: LookupWatch) => LookupFunction

export function guardedLookup(policy: TargetPolicy, resolve: Resolve): GuardedLookup {
  const lookUp = createLookups(resolve)
  /** Look-ups under way, so that an organization asks once for a name, however many of its deliveries wait for it. */
  const underWay = new Map<string, Lookup>()

  function lookedUp(host: string, organizationId: number): Lookup {
    const name = `${organizationId} ${host}`
    const running = underWay.get(name)
    if (running) return running
    const { begun, found } = lookUp(host, organizationId)
    const lookup = { begun, found: found.finally(() => underWay.delete(name)) }
    underWay.set(name, lookup)
    return lookup
  }

  async function checked(host: string, { found }: Lookup): Promise<ResolvedAddress[]> {
    const addresses = await found
    if (addresses.every(({ address }) => mayConnect(host, address, policy))) return addresses
    throw blocked()
  }

  return (organizationId, watch) =>
    (hostname, { family, all }, callback) => {
      const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family
      const host = hostname.toLowerCase().replace(/\.$/, '')
      const lookup = lookedUp(host, organizationId)
      watch?.waits()
      lookup.begun.then(watch?.begins, () => {})
      checked(host, lookup).then(
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
