/** Lets a limited number of jobs run at once, first come, first served. A job may ask to run alone. */

export interface Turns {
  take(isAlone?: boolean): Promise<Turn>
}

export interface Turn {
  /** Did another job run during this turn? */
  hadCompany(): boolean
  giveBack(): void
}

export function createTurns(count: number): Turns {
  const waiting: { places: number; start: (turn: Turn) => void }[] = []
  const running = new Set<{ hadCompany: boolean }>()
  let free = count

  const begin = (places: number): Turn => {
    free -= places
    const state = { hadCompany: running.size > 0 }
    for (const other of running) other.hadCompany = true
    running.add(state)
    return {
      hadCompany: () => state.hadCompany,
      giveBack: () => {
        running.delete(state)
        free += places
        callNext()
      },
    }
  }
  const callNext = () => {
    // The first in line is never overtaken, so that one who wants all places gets them.
    while (waiting[0] && waiting[0].places <= free) {
      const { places, start } = waiting.shift()!
      start(begin(places))
    }
  }
  return {
    take: (isAlone = false) =>
      new Promise((start) => {
        waiting.push({ places: isAlone ? count : 1, start })
        callNext()
      }),
  }
}
