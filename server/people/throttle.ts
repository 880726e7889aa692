/** Limits the tries in a window of time, for each name. In memory: every process counts for itself. */
import type { Clock } from '../../lib/clock.ts'

export interface Throttle {
  /** Counts a try. Milliseconds to wait when there were too many, else 0. */
  take(name: string): number
  /** Takes the last try back: it was a good one. */
  giveBack(name: string): void
  /** Forgets all tries of the name. */
  forget(name: string): void
}

/** Names that are remembered at once; the longest unused is forgotten first, so that made-up names cannot fill the memory. */
const MAX_NAMES = 20_000

export function createThrottle({
  clock,
  tries,
  windowMs,
}: {
  clock: Clock
  tries: number
  windowMs: number
}): Throttle {
  const taken = new Map<string, number[]>()
  return {
    take(name) {
      const now = clock.now()
      const recent = (taken.get(name) ?? []).filter((at) => at > now - windowMs)
      taken.delete(name)
      taken.set(name, recent)
      if (taken.size > MAX_NAMES) taken.delete(taken.keys().next().value!)
      if (recent.length >= tries) return recent[0]! + windowMs - now
      recent.push(now)
      return 0
    },
    giveBack: (name) => {
      taken.get(name)?.pop()
    },
    forget: (name) => {
      taken.delete(name)
    },
  }
}
