/**
 * Waits for the outcome of tasks, for months if need be and across restarts. It looks first, then less and less often; a
 * callback wakes it. All waits share one timer and a bounded number of reads, so that thousands cost next to nothing.
 */
import { type Clock, systemClock } from '../../clock.ts'
import type { TaskStatus } from '../../contract/task/task.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Client } from '../client.ts'
import { reporter } from '../reporter.ts'
import { type Looking, look } from './look.ts'
import { createLookSchedule } from './look-schedule.ts'
import { createOutage } from './outage.ts'
import type { Outcome, Progress, Repeat, WaitMeta } from './outcome.ts'
import { createWaits } from './waits.ts'

/** Options of a watch: its client and journal, its callbacks, and how often it looks. */
export interface WatchOptions {
  /** Looks at the tasks. */
  client: Pick<Client, 'readTask'>
  /** The journal, with a namespace that nothing else uses, for one service. */
  journal: Journal
  /** Called once per wait; a wait whose report fails is reported again. A crash in the middle may report it twice. */
  onOutcome: (outcome: Outcome) => unknown
  /** Reports the outcomes of tasks again until they are acknowledged. Optional; once by default. Time-outs are always reported once. */
  repeat?: Repeat
  /** Called when a look finds another status that is not final. */
  onProgress?: (progress: Progress) => unknown
  /** Called for failed looks: a refused key (401, 403) once, an unreachable service once, until a look works again. */
  onError?: (error: unknown, taskId?: number) => unknown
  /** Reads that may be under way at once. Optional; 8 by default. */
  concurrency?: number
  /** The first pause between two looks at a task. Optional; 2,000 ms by default. */
  minDelayMs?: number
  /** The longest pause between two looks at a task. Optional; 600,000 ms by default. */
  maxDelayMs?: number
  /** Times the looks and the deadlines. Optional; that of the system by default. */
  clock?: Clock
  /** Returns numbers from 0 to 1. */
  random?: () => number
}

/** Facts about a task when the wait for it begins. */
export interface WaitOptions {
  /** Milliseconds since 1970; after one last look the wait ends as `timed-out`. */
  deadline?: number
  /** The status that is known already, Received when omitted; a look that finds another one is progress. */
  status?: TaskStatus
  /** Comes back with each report. */
  meta?: WaitMeta
}

/** A task that is waited for. */
export interface WaitingTask {
  /** The id by which the service knows the task. */
  taskId: number
  /** The status that the last look found. */
  status: TaskStatus
}

/** Waits for the outcomes of tasks. Made by `createWatch`. */
export interface Watch {
  /** Takes up the waits of the journal; returns how many. */
  resume(): Promise<number>
  /** Waits for a task from now on; resolves when the wait is on the disk. A second wait for a task replaces the first. */
  add(taskId: number, options?: WaitOptions): Promise<void>
  /** Looks now, because someone said that the task has changed. False when no one waits for it any more. */
  nudge(taskId: number): boolean
  /** Forgets an outcome that was reported, because someone has dealt with it. */
  acknowledge(taskId: number): Promise<void>
  /** Ends one wait, or all, without a report; returns the tasks. */
  cancel(taskId?: number): Promise<number[]>
  /** How many tasks are waited for. */
  readonly size: number
  /** Returns the tasks that are waited for, in the order in which their waits began. */
  tasks(): WaitingTask[]
  /** How many outcomes were reported and not acknowledged. */
  readonly reported: number
  /** Ends everything but keeps the journal, so that another watch can take up the waits. */
  close(): Promise<void>
}

/** The factor from one pause between looks to the next. */
const GROWTH = 1.6

/** Waits for nothing until `resume` or `add` is called. */
export function createWatch({
  client,
  journal,
  onOutcome,
  repeat,
  onProgress = () => {},
  onError,
  concurrency = 8,
  minDelayMs = 2000,
  maxDelayMs = 600_000,
  clock = systemClock,
  random = Math.random,
}: WatchOptions): Watch {
  const closing = new AbortController()
  const { signal } = closing
  const lookNow = (taskId: number) => schedule.set(taskId, clock.now())
  const waits = createWaits({ journal, onBegin: lookNow, onCancel: (taskId) => schedule.delete(taskId) })
  const looking: Looking = {
    client,
    waits,
    outage: createOutage(random),
    pauseUntil: (at) => schedule.pauseUntil(at),
    onOutcome,
    repeat,
    onProgress,
    onError: reporter(onError),
    pauses: { firstMs: minDelayMs, longestMs: maxDelayMs, growth: GROWTH },
    clock,
    random,
    signal,
  }
  const schedule = createLookSchedule({ look: (taskId) => look(looking, taskId), concurrency, clock })

  return {
    resume: () => waits.resume(signal),
    async add(taskId, { deadline, status = 'Received', meta = {} } = {}) {
      signal.throwIfAborted()
      await waits.add(taskId, { status, meta, ...(deadline !== undefined && { deadline }) })
    },
    nudge(taskId) {
      const wait = waits.get(taskId)
      const isWaiting = wait !== undefined && wait.reportedAt === undefined
      if (isWaiting) lookNow(taskId)
      return isWaiting
    },
    async acknowledge(taskId) {
      const wait = waits.get(taskId)
      if (wait?.reportedAt === undefined) return
      await waits.forget(taskId, wait)
      schedule.delete(taskId)
    },
    cancel: (taskId) => waits.cancel(taskId),
    get size() {
      return waits.size
    },
    tasks: () =>
      [...waits.entries()]
        .filter(([, { reportedAt }]) => reportedAt === undefined)
        .map(([taskId, { status }]) => ({ taskId, status })),
    get reported() {
      return waits.reported
    },
    async close() {
      closing.abort()
      await schedule.close()
      waits.clear()
    },
  }
}
