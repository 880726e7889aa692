/** Lets a limited number of jobs run at once, first come, first served. A job may ask to run alone. */

export interface Turns {
  /** Resolves when the job may begin: alone, when it asks for that. */
  take(isAlone?: boolean): Promise<Turn>
}

export interface Turn {
  /** Did another job run during this turn? */
  hadCompany(): boolean
  giveBack(): void
}

/** Queues that know of each other: a job that runs alone runs alone in all of them. */
export interface QueueGroup {
  running: Set<{ hadCompany: boolean; isAlone: boolean }>
  queues: Queue[]
}

interface Queue {
  waiting: { isAlone: boolean; start: (turn: Turn) => void }[]
  /** Lets those begin whose turn it is. */
  callNext(): void
}

export const createQueueGroup = (): QueueGroup => ({ running: new Set(), queues: [] })

/** @param count how many jobs of this queue run at once */
export function createTurns(count: number, group = createQueueGroup()): Turns {
  const { running, queues } = group
  const waiting: Queue['waiting'] = []
  let free = count

  const begin = (isAlone: boolean): Turn => {
    free--
    const state = { hadCompany: running.size > 0, isAlone }
    for (const other of running) other.hadCompany = true
    running.add(state)
    return {
      hadCompany: () => state.hadCompany,
      giveBack: () => {
        running.delete(state)
        free++
        for (const queue of queues) queue.callNext()
      },
    }
  }
  const mayBegin = (isAlone: boolean) => {
    if (isAlone) return running.size === 0
    const isKeptFree = queues.some((queue) => queue.waiting[0]?.isAlone) || [...running].some((job) => job.isAlone)
    return free > 0 && !isKeptFree
  }
  const callNext = () => {
    // The first in line is never overtaken, so that a job that has to run alone comes to do so.
    while (waiting[0] && mayBegin(waiting[0].isAlone)) {
      const { isAlone, start } = waiting.shift()!
      start(begin(isAlone))
    }
  }
  queues.push({ waiting, callNext })
  return {
    take: (isAlone = false) =>
      new Promise((start) => {
        waiting.push({ isAlone, start })
        callNext()
      }),
  }
}
