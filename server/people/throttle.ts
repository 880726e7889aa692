/** Limits how many tries each name has in a window of time. In memory: every process counts for itself. */
import type { Clock } from '../../lib/clock.ts'

export interface Throttle {
  /** Counts a try and returns 0; when there were too many, returns how many milliseconds to wait instead. */
  take(name: string): number
  /** Takes the last try back, because it succeeded. */
  giveBack(name: string): void
  /** Forgets all tries of the name. */
  forget(name: string): void
}

/** How many names are remembered. Beyond that, the one unused for longest is forgotten, so that made-up names cannot fill the memory. */
const MAX_NAMES = 20_000

export interface ThrottleOptions {
  clock: Clock
  /** Per window and name. */
  tries: number
  windowMs: number
}

export function createThrottle({ clock, tries, windowMs }: ThrottleOptions): Throttle {
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
