/** Looks at many things, each when it is due: one timer for all, and a bounded number of looks at once. */
import type { Clock } from '../../clock.ts'
import { createAlarm } from '../pace/alarm.ts'
import { createDueQueue } from './due-queue.ts'

export interface LookScheduleOptions {
  /** Looks once and says when to look again; undefined ends it. Must not reject. */
  look: (id: number) => Promise<number | undefined>
  concurrency: number
  clock: Clock
}

export interface LookSchedule {
  /** Looks at `at` instead of when it was due; after the look under way, if there is one. */
  set(id: number, at: number): void
  delete(id: number): void
  /** No look begins before this time. */
  pauseUntil(at: number): void
  /** No look begins any more; resolves when those under way have ended. */
  close(): Promise<void>
}

export function createLookSchedule({ look, concurrency, clock }: LookScheduleOptions): LookSchedule {
  const due = createDueQueue()
  const looks = new Map<number, Promise<void>>()
  /** Looks that were asked for while one was under way. */
  const askedFor = new Map<number, number>()
  const alarm = createAlarm(clock, pump)
  let pausedUntil = 0
  let isClosed = false

  function pump(): void {
    if (isClosed) return
    while (looks.size < concurrency && clock.now() >= pausedUntil) {
      const id = due.take(clock.now())
      if (id === undefined) break
      looks.set(id, begin(id))
    }
    arm()
  }

  async function begin(id: number): Promise<void> {
    const next = await look(id)
    looks.delete(id)
    const at = Math.min(next ?? Number.POSITIVE_INFINITY, askedFor.get(id) ?? Number.POSITIVE_INFINITY)
    askedFor.delete(id)
    if (Number.isFinite(at)) due.set(id, at)
    pump()
  }

  /** While all are busy no alarm is needed: the look that ends begins the next. */
  function arm(): void {
    const next = looks.size < concurrency ? due.next() : undefined
    alarm.set(next === undefined ? undefined : Math.max(next, pausedUntil))
  }

  return {
    set(id, at) {
      if (looks.has(id)) askedFor.set(id, at)
      else due.set(id, at)
      pump()
    },
    delete(id) {
      askedFor.delete(id)
      due.delete(id)
      arm()
    },
    pauseUntil(at) {
      pausedUntil = at
      arm()
    },
    async close() {
      isClosed = true
      alarm.set(undefined)
      await Promise.all(looks.values())
    },
  }
}
