/** Tells which pairs are whole: written by programs that give no sign when they have finished. */
import { filesOf, type Pair } from './pairs.ts'

export interface SettledOptions {
  /** Milliseconds for which a file must not change. */
  stableMs: number
  /** Milliseconds that a PDF waits for its index, and an index for its PDF. */
  pairingMs: number
}

/** Returns a function that is given the pairs of each look at a folder, with its time, and returns those that are whole by now. */
export function createSettled({
  stableMs,
  pairingMs,
}: SettledOptions): (pairs: readonly Pair[], now: number) => Pair[] {
  /** Since when the files of a pair are as they are. */
  let known = new Map<string, number>()
  return (pairs, now) => {
    const seen = new Map(pairs.map((pair) => [looksOf(pair), pair]))
    known = new Map([...seen.keys()].map((looks) => [looks, known.get(looks) ?? now]))
    return [...seen]
      .filter(([looks, { pdf, index }]) => now - known.get(looks)! >= (pdf && index ? stableMs : pairingMs))
      .map(([, pair]) => pair)
  }
}

const looksOf = (pair: Pair): string =>
  JSON.stringify(filesOf(pair).map(({ name, size, writtenAt, identity }) => [name, size, writtenAt, identity]))
