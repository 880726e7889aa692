/**
 * Lets time pass, from one thing that is due to the next. The work of each is done before the clock goes on, so what takes
 * days happens in the order and at the times of those days.
 */
import type { Clock } from '../../lib/clock.ts'
import type { Time } from '../operations/sandbox/sandbox-context.ts'
import type { Worker } from '../workers/worker.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** `advance` stops short when the work takes longer than callers wait for an answer. */
export type TimeTravel = Time

export interface TimeTravelParts {
  clock: VirtualClock
  /** Limits how long it really takes. */
  realClock: Pick<Clock, 'now'>
  /** Each makes work for those that come after it. */
  workers: readonly Pick<Worker, 'settle' | 'nextDue'>[]
  /** Stores how far the clock is ahead, for the next start. */
  keep(aheadMs: number): Promise<void>
}

/** Well below the time limit that clients and proxies usually have. */
const PATIENCE_MS = 25_000
/** The least step, in case something is due that no worker takes up. */
const LEAST_STEP_MS = 1_000

export function createTimeTravel({ clock, realClock, workers, keep }: TimeTravelParts): TimeTravel {
  let turn: Promise<void> = Promise.resolve()

  async function settle(): Promise<void> {
    for (const worker of workers) await worker.settle()
  }

  async function nextDue(): Promise<number> {
    const due = await Promise.all(workers.map((worker) => worker.nextDue()))
    return Math.min(...due.map((at) => at?.getTime() ?? Number.POSITIVE_INFINITY))
  }

  async function advance(ms: number): Promise<void> {
    const target = clock.now() + ms
    const giveUpAt = realClock.now() + PATIENCE_MS
    await settle()
    while (clock.now() < target && realClock.now() < giveUpAt) {
      clock.jumpTo(Math.min(target, Math.max(await nextDue(), clock.now() + LEAST_STEP_MS)))
      await settle()
    }
    await keep(clock.aheadMs)
  }

  return {
    now: clock.now,
    get aheadMs() {
      return clock.aheadMs
    },
    advance(ms) {
      const mine = turn.then(() => advance(ms))
      turn = mine.catch(() => {})
      return mine
    },
    settle,
  }
}
