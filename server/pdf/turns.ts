/** Lets a limited number of jobs run at once, first come, first served. A job may ask to run alone. */

export interface Turns {
  /** Waits for a turn; call the result to give it back. */
  take(isAlone?: boolean): Promise<() => void>
}

export function createTurns(count: number): Turns {
  let free = count
  const waiting: { places: number; start: (giveBack: () => void) => void }[] = []
  const next = () => {
    // The first in line is never overtaken, so that one who wants all places gets them.
    while (waiting[0] && waiting[0].places <= free) {
      const { places, start } = waiting.shift()!
      free -= places
      start(() => {
        free += places
        next()
      })
    }
  }
  return {
    take: (isAlone = false) =>
      new Promise((start) => {
        waiting.push({ places: isAlone ? count : 1, start })
        next()
      }),
  }
}
