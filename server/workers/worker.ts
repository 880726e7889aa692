/**
 * A worker: claims what is due, works on a few things at once, and sleeps until the next is due or somebody wakes it. What
 * it claimed and could not finish comes back by itself when the lease ends.
 */
import type { Clock } from '../../lib/clock.ts'
import { createPulse, type WorkerHealth } from './pulse.ts'

export interface Work<T> {
  clock: Clock
  /** How many things are worked on at once. */
  slots: number
  /** Other processes may leave work in the store without a word, so it is looked at this often in any case. */
  lookEveryMs: number
  claim(limit: number): Promise<readonly T[]>
  run(item: T): Promise<void>
  /** When the next thing is due, or null. */
  nextDue(): Promise<Date | null>
  /** A fault of ours or of the store. The worker goes on. */
  onFault(fault: unknown): void
}

export interface Worker {
  start(): void
  wake(): void
  /** Does what is due now, and resolves when nothing of it is left or under way. */
  settle(): Promise<void>
  /** When the next thing is due, or null. */
  nextDue(): Promise<Date | null>
  /** Takes no more work, and resolves when what is under way has ended. */
  stop(): Promise<void>
  health(): WorkerHealth
}

/** Shortest sleep after a look that found nothing it could do, so that a fault does not make a busy loop. */
const SHORTEST_SLEEP_MS = 20

export function createWorker<T>(work: Work<T>): Worker {
  const pulse = createPulse(work.clock, work.lookEveryMs)
  const onFault = (fault: unknown) => {
    pulse.fault()
    work.onFault(fault)
  }
  const underWay = new Set<Promise<void>>()
  let running = false
  let looking: Promise<void> | null = null
  let wokenMeanwhile = false
  let cancelTimer = () => {}

  async function claimWhileFree(): Promise<void> {
    while (running && underWay.size < work.slots) {
      const items = await work.claim(work.slots - underWay.size)
      pulse.round()
      if (items.length === 0) return
      for (const item of items) {
        const ended = work
          .run(item)
          .catch(onFault)
          .finally(() => {
            underWay.delete(ended)
            wake()
          })
        underWay.add(ended)
      }
    }
  }

  async function look(): Promise<void> {
    cancelTimer()
    let sleepMs = work.lookEveryMs
    try {
      do {
        wokenMeanwhile = false
        await claimWhileFree()
      } while (running && wokenMeanwhile)
      const due = underWay.size < work.slots ? await work.nextDue() : null
      if (due) sleepMs = Math.min(sleepMs, Math.max(due.getTime() - work.clock.now(), SHORTEST_SLEEP_MS))
      pulse.round()
    } catch (fault) {
      onFault(fault)
    }
    if (running) cancelTimer = work.clock.after(sleepMs, wake)
  }

  function wake(): void {
    if (!running) return
    wokenMeanwhile = true
    if (looking) return
    looking = look().finally(() => {
      looking = null
      if (wokenMeanwhile && running && underWay.size < work.slots) wake()
    })
  }

  return {
    start() {
      running = true
      wake()
    },
    wake,
    async settle() {
      wake()
      while (running && (looking || underWay.size > 0)) {
        await looking
        await Promise.allSettled(underWay)
      }
    },
    nextDue: work.nextDue,
    health: pulse.health,
    async stop() {
      running = false
      cancelTimer()
      await looking
      await Promise.allSettled(underWay)
    },
  }
}
