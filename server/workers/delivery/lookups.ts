/**
 * Takes turns at looking up names. The system's resolver holds one of the process's few threads for as long as a name server
 * is silent, and sign-ins and files need these threads too. A name that was found the last time does not wait behind names
 * that were not, and no organization waits behind another: silent names of one organization hold two threads at most. It
 * checks no address.
 */
import type { Resolve, ResolvedAddress } from './resolve.ts'

/** The number of look-ups at once, of the four threads of a process; and of these, of names that were not found the last time. */
const AT_ONCE = 3
const UNKNOWN_AT_ONCE = 2
/** The same for one organization. */
const AT_ONCE_EACH = 2
const UNKNOWN_AT_ONCE_EACH = 1
/** How many found names are remembered; then all are forgotten, and learned again. */
const REMEMBERED = 10_000

/** How many names of one organization may wait: more than it has subscriptions. Beyond that, the oldest is sent away. */
const WAITING_EACH = 100

/** Code of the error that a look-up ends with when it was sent away before its turn. */
export const NO_TURN = 'ERR_NO_TURN'

export interface Lookup {
  /** Resolves when its turn has come; rejects when it is sent away. */
  begun: Promise<void>
  found: Promise<ResolvedAddress[]>
}

export function createLookups(resolve: Resolve): (host: string, organizationId: number) => Lookup {
  const known = new Set<string>()
  const line: Line = { running: new Set(), waiting: [], lastTurn: new Map(), turns: 0 }

  async function look(name: string, host: string, asking: Asking): Promise<ResolvedAddress[]> {
    try {
      const addresses = await resolve(host)
      if (known.size >= REMEMBERED) known.clear()
      known.add(name)
      return addresses
    } finally {
      line.running.delete(asking)
      beginNext(line)
    }
  }

  return (host, organizationId) => {
    const name = `${organizationId} ${host}`
    // A name that hangs once counts as unknown from then on, until it is found again.
    const isUnknown = !known.delete(name)
    const asking: Asking = { organizationId, isUnknown, begin: () => {}, sendAway: () => {} }
    const begun = new Promise<void>((resolve, reject) => {
      asking.begin = resolve
      asking.sendAway = () => reject(Object.assign(new Error('The name was not looked up.'), { code: NO_TURN }))
    })
    const found = begun.then(() => look(name, host, asking))
    standInLine(line, asking)
    return { begun, found }
  }
}

interface Asking {
  organizationId: number
  isUnknown: boolean
  begin(): void
  sendAway(): void
}

interface Line {
  running: Set<Asking>
  /** In the order of asking. */
  waiting: Asking[]
  /** The number of the newest turn of each organization. */
  lastTurn: Map<number, number>
  /** How many turns there were so far. */
  turns: number
}

function standInLine(line: Line, asking: Asking): void {
  const theirs = line.waiting.filter(({ organizationId }) => organizationId === asking.organizationId)
  const [oldest] = theirs
  if (oldest && theirs.length >= WAITING_EACH) {
    line.waiting = line.waiting.filter((one) => one !== oldest)
    oldest.sendAway()
  }
  line.waiting.push(asking)
  beginNext(line)
}

/** Begins all that may begin; the organization whose last turn is longest ago goes first. */
function beginNext(line: Line): void {
  const turnOf = ({ organizationId }: Asking) => line.lastTurn.get(organizationId) ?? 0
  const mayBeginNow = line.waiting.filter((asking) => mayBegin(asking, [...line.running]))
  const [next] = mayBeginNow.sort((a, b) => turnOf(a) - turnOf(b))
  if (!next) return
  line.waiting = line.waiting.filter((asking) => asking !== next)
  line.lastTurn.set(next.organizationId, ++line.turns)
  line.running.add(next)
  next.begin()
  beginNext(line)
}

function mayBegin({ organizationId, isUnknown }: Asking, running: readonly Asking[]): boolean {
  const theirs = running.filter((one) => one.organizationId === organizationId)
  if (running.length >= AT_ONCE || theirs.length >= AT_ONCE_EACH) return false
  const unknown = (some: readonly Asking[]) => some.filter((one) => one.isUnknown).length
  return !isUnknown || (unknown(running) < UNKNOWN_AT_ONCE && unknown(theirs) < UNKNOWN_AT_ONCE_EACH)
}
