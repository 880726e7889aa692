/**
 * Finds what callbacks missed: reads the tasks that are not final, and hands each change that was not reported over in the same
 * way as a callback. It never repeats a change that a callback has brought.
 */
import { spread } from '../back-off.ts'
import type { Client } from '../client/client.ts'
import { reporter } from '../client/reporter.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Receiver } from './receiver.ts'
import { type Round, reconcile } from './reconcile.ts'
import type { TaskMemory } from './task-memory.ts'

/** Options of a reconciler: its client, the receiver that gets the changes, and how often it looks. */
export interface ReconcilerOptions {
  /** Looks at the tasks. */
  client: Pick<Client, 'readTask'>
  /** Hands over the changes that were missed. */
  receiver: Pick<Receiver, 'accept' | 'resume'>
  /** `store.tasks` of the receiver's store. */
  tasks: TaskMemory
  /** Called for failed looks; 401 and 403 end the round, 404 forgets the task. */
  onError?: (error: unknown, taskId?: number) => unknown
  /** Between two rounds, ±20 %. Optional; 600,000 ms by default. */
  intervalMs?: number
  /** A task is left alone until its last change is this old, because callbacks under way come first. Optional; 600,000 ms by default. */
  quietMs?: number
  /** Looks at once. Optional; 4 by default. */
  concurrency?: number
  /** Times the rounds. Optional; that of the system by default. */
  clock?: Clock
  /** Returns numbers from 0 to 1. */
  random?: () => number
}

/** Finds what callbacks missed. Made by `createReconciler`. */
export interface Reconciler {
  /** Makes a task known that no event has reported yet; call it after a create. */
  track(taskId: number): Promise<void>
  /** Makes a round now. Rounds do not overlap: a call during a round returns the result of that round. */
  reconcile(): Promise<Round>
  /** Makes rounds from now on, the first after `intervalMs`, until `close`. */
  start(): void
  /** Ends the round under way, too. */
  close(): void
}

/** Returns a reconciler that does nothing until `start` or `reconcile` is called. */
export function createReconciler({
  client,
  receiver,
  tasks,
  onError,
  intervalMs = 600_000,
  quietMs = 600_000,
  concurrency = 4,
  clock = systemClock,
  random = Math.random,
}: ReconcilerOptions): Reconciler {
  const report = reporter(onError)
  const reconciling = { client, receiver, tasks, report, quietMs, concurrency, clock }
  let stop = new AbortController()
  let round: Promise<Round> | undefined
  let cancel: (() => void) | undefined

  function oneRound(): Promise<Round> {
    round ??= reconcile(reconciling, stop.signal).finally(() => {
      round = undefined
    })
    return round
  }

  function scheduleNext(signal: AbortSignal): void {
    cancel = clock.after(spread(intervalMs, random()), async () => {
      await oneRound().catch(report)
      if (!signal.aborted) scheduleNext(signal)
    })
  }

  return {
    track: (taskId) => tasks.begin(taskId, new Date(clock.now()).toISOString()),
    reconcile: oneRound,
    start() {
      if (cancel) return
      stop = new AbortController()
      scheduleNext(stop.signal)
    },
    close() {
      cancel?.()
      cancel = undefined
      stop.abort()
    },
  }
}
