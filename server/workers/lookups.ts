/**
 * Takes turns at looking up names. The system's resolver holds one of the process's few threads for as long as a name server
 * is silent, and sign-ins and files need these threads too. A name that was found the last time does not wait behind names
 * that were not. It checks no address.
 */
import type { Resolve } from './resolve.ts'

/** Of the four threads that a process has: so many for names that were found the last time, and for the others. */
const FOUND_AT_ONCE = 2
const OTHERS_AT_ONCE = 1
/** Names that are remembered; then it is learned anew who is found. */
const REMEMBERED = 10_000

export function inTurns(resolve: Resolve): Resolve {
  const found = new Set<string>()
  const [foundLane, otherLane] = [createLane(FOUND_AT_ONCE), createLane(OTHERS_AT_ONCE)]
  return (host) =>
    // Whoever hangs once waits with the others from then on, until it is found again.
    (found.delete(host) ? foundLane : otherLane)(async () => {
      const addresses = await resolve(host)
      if (found.size >= REMEMBERED) found.clear()
      found.add(host)
      return addresses
    })
}

/** Runs so many at once, the rest in the order of asking. */
function createLane(atOnce: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // The place goes to the next in line without becoming free.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
