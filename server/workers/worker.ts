/**
 * A worker: claims what is due, works on a few things at once, and sleeps until the next is due or someone wakes it. What it
 * claimed and could not finish becomes due again by itself when its lease ends.
 */
import type { Clock } from '../../lib/clock.ts'
import type { WorkerHealth } from '../domain/worker-health.ts'
import { createPulse } from './pulse.ts'

export interface Work<T> {
  clock: Clock
  /** How many things may be worked on at once. */
  slots: number
  /**
   * Milliseconds between two looks at the store: other processes may leave work there and wake no one here. While there is none,
   * each pause is twice as long as the one before, up to eight times this one.
   */
  lookEveryMs: number
  /** Takes at most `limit` of what is due, under a lease. */
  claim(limit: number): Promise<readonly T[]>
  run(item: T): Promise<void>
  /** When the next thing is due, or null. */
  nextDue(): Promise<Date | null>
  /** A fault of ours or of the store. The worker continues. */
  onFault(fault: unknown): void
}

export interface Worker {
  start(): void
  wake(): void
  /** Does what is due now. Resolves when none of it is left or under way. */
  settle(): Promise<void>
  /** When the next thing is due, or null. */
  nextDue(): Promise<Date | null>
  /** Takes no more work. Resolves when what is under way has ended. */
  stop(): Promise<void>
  health(): WorkerHealth
}

/** How often the pause between two looks is doubled. */
const DOUBLED_AT_MOST = 3

/** The shortest sleep, so that what is due and cannot be claimed does not make a busy loop. */
const SHORTEST_SLEEP_MS = 20

export function createWorker<T>(work: Work<T>): Worker {
  const pulse = createPulse(work.clock, work.lookEveryMs * 2 ** DOUBLED_AT_MOST)
  const slots = createSlots(work, onFault, wake)
  let isRunning = false
  let looking: Promise<void> | null = null
  let wasWoken = false
  /** Looks in a row that found nothing. */
  let inVain = 0
  let cancelTimer = () => {}

  function onFault(fault: unknown): void {
    pulse.fault()
    work.onFault(fault)
  }

  async function claimWhileFree(): Promise<void> {
    while (isRunning && slots.free() > 0) {
      const items = await work.claim(slots.free())
      pulse.round()
      if (items.length === 0) return
      inVain = 0
      for (const item of items) slots.begin(item)
    }
  }

  async function look(): Promise<void> {
    cancelTimer()
    const longestMs = work.lookEveryMs * 2 ** Math.min(inVain, DOUBLED_AT_MOST)
    let sleepMs = longestMs
    inVain++
    try {
      do {
        wasWoken = false
        await claimWhileFree()
      } while (isRunning && wasWoken)
      // While every slot is taken, the end of a run wakes the worker.
      if (slots.free() > 0) sleepMs = await untilNextDue(work, longestMs)
      pulse.round()
    } catch (fault) {
      // A store that was away may be back soon.
      inVain = 0
      sleepMs = work.lookEveryMs
      onFault(fault)
    }
    if (isRunning) cancelTimer = work.clock.after(sleepMs, lookAgain)
  }

  function wake(): void {
    inVain = 0
    lookAgain()
  }

  function lookAgain(): void {
    if (!isRunning) return
    wasWoken = true
    if (looking) return
    looking = look().finally(() => {
      looking = null
      if (wasWoken && isRunning && slots.free() > 0) lookAgain()
    })
  }

  return {
    start() {
      isRunning = true
      wake()
    },
    wake,
    async settle() {
      wake()
      while (isRunning && (looking || slots.free() < work.slots)) {
        await looking
        await slots.ended()
      }
    },
    nextDue: work.nextDue,
    health: pulse.health,
    async stop() {
      isRunning = false
      cancelTimer()
      await looking
      await slots.ended()
    },
  }
}

/** The work under way. `onEnd` is called whenever a slot becomes free. */
function createSlots<T>({ slots, run }: Work<T>, onFault: (fault: unknown) => void, onEnd: () => void) {
  const underWay = new Set<Promise<void>>()
  return {
    free: (): number => slots - underWay.size,
    begin(item: T): void {
      const ended = run(item)
        .catch(onFault)
        .finally(() => {
          underWay.delete(ended)
          onEnd()
        })
      underWay.add(ended)
    },
    /** Resolves when all that is under way now has ended. */
    ended: () => Promise.allSettled(underWay),
  }
}

/** Milliseconds to sleep. */
async function untilNextDue<T>({ nextDue, clock }: Work<T>, longestMs: number): Promise<number> {
  const due = await nextDue()
  return due ? Math.min(longestMs, Math.max(due.getTime() - clock.now(), SHORTEST_SLEEP_MS)) : longestMs
}
