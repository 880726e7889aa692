/**
 * Looks up ids of which anyone may make up as many as they like, such as keys and sessions. Those that are not known yet wait in line, a
 * few at a time and each network in its turn; those that were found before wait for none of them.
 */
import { shareById } from './share-by-id.ts'

export interface StrangersLimits {
  /** Look-ups of ids that are not known yet, under way at once. */
  atOnce: number
  /** Those that wait in line: in all, and of one network. */
  waiting: { total: number; each: number }
  /** How many ids are remembered as found, the latest of them. */
  known: number
}

/** A look-up that calls with one id share. `network` names where the first of these calls comes from. */
export type LookUp<T> = (id: string, network: string) => Promise<T>

/** @param full returns what a look-up rejects with when too many wait already */
export function createStrangers({ atOnce, waiting, known: mostKnown }: StrangersLimits, full: () => Error) {
  const known = new Set<string>()
  /** Functions that begin the look-ups in line, by network; the network whose turn is next is the first. */
  const lines = new Map<string, (() => void)[]>()
  let waits = 0
  let underWay = 0

  function beginNext(): void {
    const [first] = lines
    if (!first) return
    const [network, line] = first
    lines.delete(network)
    const begin = line.shift()!
    if (line.length > 0) lines.set(network, line)
    waits -= 1
    underWay += 1
    begin()
  }

  async function turnOf(network: string): Promise<void> {
    if (underWay < atOnce) {
      underWay += 1
      return
    }
    const line = lines.get(network) ?? []
    if (waits >= waiting.total || line.length >= waiting.each) throw full()
    lines.set(network, line)
    waits += 1
    await new Promise<void>((begin) => line.push(begin))
  }

  async function inLine<T>(network: string, work: () => Promise<T>): Promise<T> {
    await turnOf(network)
    try {
      return await work()
    } finally {
      underWay -= 1
      beginNext()
    }
  }

  function note(id: string, isFound: boolean): void {
    known.delete(id)
    if (!isFound) return
    known.add(id)
    const [oldest] = known
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
  }

  /** Returns the look-up. All that are made of one `createStrangers` have one line. */
  return <T>(find: (id: string) => Promise<T>): LookUp<T> =>
    shareById(async (id: string, network: string) => {
      const found = known.has(id) ? await find(id) : await inLine(network, () => find(id))
      note(id, found !== undefined && found !== null)
      return found
    })
}
