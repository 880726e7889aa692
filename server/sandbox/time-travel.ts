/**
 * Lets time pass, from one thing that is due to the next. The work of each is done before the clock continues, so what takes
 * days happens in the order and at the times of those days.
 */
import { type Clock, timeOf } from '../../lib/clock.ts'
import type { Time } from '../operations/sandbox/sandbox-context.ts'
import type { Worker } from '../workers/worker.ts'
import type { VirtualClock } from './virtual-clock.ts'

export type TimeTravel = Time

export interface TimeTravelParts {
  clock: VirtualClock
  /** Limits how long it really takes. */
  realClock: Pick<Clock, 'now' | 'after'>
  /** Each makes work for those that come after it. */
  workers: readonly Pick<Worker, 'settle' | 'nextDue'>[]
  /** Called before the clock is put forward: what lives in real time goes along with it. */
  carryAlong(ms: number, at: Date): Promise<void>
  /** Cuts off webhooks under way, and forgets what workers have found out. */
  startOver(): void
  /** Stores how far the clock is ahead, for the next start. */
  keep(aheadMs: number): Promise<void>
}

/** How long a caller waits for an answer: well below the time limit that clients and proxies usually have. */
const ANSWER_WITHIN_MS = 25_000
/** How often it stores how far it got: a process that is killed on the way leaves little that lies in the future. */
const KEEP_EVERY_MS = 1_000
/** The least step, in case something is due that no worker takes up. */
const LEAST_STEP_MS = 1_000

export function createTimeTravel({
  clock,
  realClock,
  workers,
  keep,
  carryAlong,
  startOver,
}: TimeTravelParts): TimeTravel {
  let turn: Promise<void> = Promise.resolve()
  let target: number | null = null
  /** Goes up with each stop; what began before a stop ends. */
  let stops = 0

  async function settle(): Promise<void> {
    for (const worker of workers) await worker.settle()
  }

  async function nextDue(): Promise<number> {
    const due = await Promise.all(workers.map((worker) => worker.nextDue()))
    return Math.min(...due.map((at) => at?.getTime() ?? Number.POSITIVE_INFINITY))
  }

  async function goTo(end: number, begunAfter: number): Promise<void> {
    let keptAt = realClock.now()
    await carryAlong(end - clock.now(), timeOf(clock))
    await settle()
    while (clock.now() < end && begunAfter === stops) {
      clock.jumpTo(Math.min(end, Math.max(await nextDue(), clock.now() + LEAST_STEP_MS)))
      await settle()
      if (realClock.now() - keptAt < KEEP_EVERY_MS) continue
      keptAt = realClock.now()
      await keep(clock.aheadMs)
    }
    await keep(clock.aheadMs)
  }

  async function backToStart(): Promise<void> {
    startOver()
    await settle()
    const [ahead, from] = [clock.aheadMs, timeOf(clock)]
    clock.goBack()
    await carryAlong(-ahead, from)
    await keep(0)
  }

  /** Continues when the answer is given: only its caller waits no longer. */
  async function answered(arrival: Promise<void>): Promise<void> {
    let cancel = () => {}
    const late = new Promise<void>((resolve) => {
      cancel = realClock.after(ANSWER_WITHIN_MS, resolve)
    })
    await Promise.race([arrival, late]).finally(cancel)
  }

  return {
    now: clock.now,
    get aheadMs() {
      return clock.aheadMs
    },
    get target() {
      return target
    },
    advance(ms) {
      const end = Math.max(clock.now(), target ?? 0) + ms
      target = end
      const begunAfter = stops
      const mine = turn
        .then(() => goTo(end, begunAfter))
        .finally(() => {
          if (target === end) target = null
        })
      turn = mine.catch(() => {})
      return answered(mine)
    },
    stop() {
      stops++
      target = null
    },
    async goBack() {
      stops++
      target = null
      const mine = turn.then(backToStart)
      turn = mine.catch(() => {})
      await mine
    },
    async nextDue() {
      const due = await nextDue()
      return Number.isFinite(due) ? due : null
    },
    settle,
  }
}
