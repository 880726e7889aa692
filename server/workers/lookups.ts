/**
 * Takes turns at looking up names. The system's resolver holds one of the process's few threads for as long as a name server
 * is silent, and sign-ins and files need these threads too. A name that was found the last time does not wait behind names
 * that were not, and no organization behind another one's: silent names of one organization hold two threads at most. It
 * checks no address.
 */
import type { Resolve, ResolvedAddress } from './resolve.ts'

/** Of the four threads that a process has: all together, and those for names that were not found the last time. */
const AT_ONCE = 3
const UNKNOWN_AT_ONCE = 2
/** The same, of one organization. */
const AT_ONCE_EACH = 2
const UNKNOWN_AT_ONCE_EACH = 1
/** Names that are remembered; then it is learned anew who is found. */
const REMEMBERED = 10_000

/** Names of one organization that wait; beyond, the one that waits longest is sent away. It has fewer subscriptions. */
const WAITING_EACH = 100

/** Code of the error that a look-up ends with whose turn did not come. */
export const NO_TURN = 'ERR_NO_TURN'

export interface Lookup {
  /** Resolves when the turn has come. */
  begun: Promise<void>
  found: Promise<ResolvedAddress[]>
}

interface Asking {
  organizationId: number
  isUnknown: boolean
  begin(): void
  sendAway(): void
}

export function inTurns(resolve: Resolve): (host: string, organizationId: number) => Lookup {
  const known = new Set<string>()
  const running = new Set<Asking>()
  /** In the order of asking. */
  let waiting: Asking[] = []
  /** For each organization the number of its newest turn. */
  const lastTurn = new Map<number, number>()
  let turns = 0

  function mayBegin({ organizationId, isUnknown }: Asking): boolean {
    const all = [...running]
    const theirs = all.filter((one) => one.organizationId === organizationId)
    if (all.length >= AT_ONCE || theirs.length >= AT_ONCE_EACH) return false
    const unknown = (some: readonly Asking[]) => some.filter((one) => one.isUnknown).length
    return !isUnknown || (unknown(all) < UNKNOWN_AT_ONCE && unknown(theirs) < UNKNOWN_AT_ONCE_EACH)
  }

  /** The organization that had no turn for the longest time is next. */
  function beginNext(): void {
    const turnOf = ({ organizationId }: Asking) => lastTurn.get(organizationId) ?? 0
    const [next] = waiting.filter(mayBegin).sort((a, b) => turnOf(a) - turnOf(b))
    if (!next) return
    waiting = waiting.filter((asking) => asking !== next)
    lastTurn.set(next.organizationId, ++turns)
    running.add(next)
    next.begin()
    beginNext()
  }

  function wait(asking: Asking): void {
    const theirs = waiting.filter(({ organizationId }) => organizationId === asking.organizationId)
    if (theirs.length >= WAITING_EACH) {
      waiting = waiting.filter((one) => one !== theirs[0])
      theirs[0]!.sendAway()
    }
    waiting.push(asking)
    beginNext()
  }

  async function look(name: string, host: string, asking: Asking): Promise<ResolvedAddress[]> {
    try {
      const addresses = await resolve(host)
      if (known.size >= REMEMBERED) known.clear()
      known.add(name)
      return addresses
    } finally {
      running.delete(asking)
      beginNext()
    }
  }

  return (host, organizationId) => {
    const name = `${organizationId} ${host}`
    // A name that hangs once waits with the unknown ones from then on, until it is found again.
    const isUnknown = !known.delete(name)
    const asking: Asking = { organizationId, isUnknown, begin: () => {}, sendAway: () => {} }
    const begun = new Promise<void>((resolve, reject) => {
      asking.begin = resolve
      asking.sendAway = () => reject(Object.assign(new Error('The name was not looked up.'), { code: NO_TURN }))
    })
    const found = begun.then(() => look(name, host, asking))
    wait(asking)
    return { begun, found }
  }
}
