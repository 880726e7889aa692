/**
 * Waits for the outcome of tasks, for months if need be and across restarts. It looks first, then less and less often; a
 * callback wakes it. All waits share one timer and a bounded number of reads, so that thousands cost next to nothing.
 */
import { grown, spread } from '../../back-off.ts'
import { type Clock, systemClock } from '../../clock.ts'
import { isFinal, type Task, type TaskStatus } from '../../contract/task/task.ts'
import type { Journal } from '../../journal/journal.ts'
import { createKeyLock } from '../../journal/key-lock.ts'
import type { Client } from '../client.ts'
import { RefusedError, UnauthorizedError } from '../errors.ts'
import { createLookSchedule } from './look-schedule.ts'
import { createOutage } from './outage.ts'

/** Ids for the caller's own use. It is written to the journal, so it must not describe a patient. */
export type WaitMeta = Readonly<Record<string, string | number | boolean | null>>

export interface Outcome {
  taskId: number
  /** `ended`: Retracted, Failed or Cancelled. `unknown`: the service has no such task for this key. */
  outcome: 'completed' | 'rejected' | 'ended' | 'timed-out' | 'unknown'
  /** The last known status. */
  status: TaskStatus
  /** The record as read; undefined for `unknown`, and for `timed-out` when the service could not be reached. */
  task?: Task
  meta: WaitMeta
}

export interface Progress {
  taskId: number
  status: TaskStatus
  previous: TaskStatus
  task: Task
  meta: WaitMeta
}

export interface WatchOptions {
  client: Pick<Client, 'readTask'>
  /** Of a namespace of its own, for one service. */
  journal: Journal
  /** Called once per wait; a wait whose report fails is reported again. A crash in the middle may report it twice. */
  onOutcome: (outcome: Outcome) => unknown
  onProgress?: (progress: Progress) => unknown
  /** Learns of failed looks: a refused key (401, 403) once, an unreachable service once, until a look works again. */
  onError?: (error: unknown, taskId?: number) => unknown
  /** Reads at once. */
  concurrency?: number
  minDelayMs?: number
  maxDelayMs?: number
  clock?: Clock
  /** From 0 to 1. */
  random?: () => number
}

export interface WaitOptions {
  /** Milliseconds since 1970; after one last look the wait ends as `timed-out`. */
  deadline?: number
  /** The status known already; a look that finds another one is progress. */
  status?: TaskStatus
  meta?: WaitMeta
}

export interface Watch {
  /** Takes up the waits of the journal; returns how many. */
  resume(): Promise<number>
  /** Waits for a task from now on; resolves when the wait is on the disk. A second wait for a task replaces the first. */
  add(taskId: number, options?: WaitOptions): Promise<void>
  /** Looks now, because somebody said that the task has changed. False when nobody waits for it. */
  nudge(taskId: number): boolean
  /** Ends one wait, or all, without a report; returns the tasks. */
  cancel(taskId?: number): Promise<number[]>
  /** How many tasks are waited for. */
  readonly size: number
  /** Ends everything but keeps the journal, so that another watch can take up the waits. */
  close(): Promise<void>
}

interface Wait {
  status: TaskStatus
  deadline?: number
  meta: WaitMeta
}

interface Waiting extends Wait {
  /** Looks in a row that found nothing new. */
  looks: number
  /** Looks in a row at which the service knew no such task. */
  misses: number
}

/** A replica may not know a task yet that was created a moment ago. */
const MISSES_TO_GIVE_UP = 4
const GROWTH = 1.6

export function createWatch({
  client,
  journal,
  onOutcome,
  onProgress,
  onError,
  concurrency = 8,
  minDelayMs = 2000,
  maxDelayMs = 600_000,
  clock = systemClock,
  random = Math.random,
}: WatchOptions): Watch {
  const waits = new Map<number, Waiting>()
  /** One change of waits and journal at a time, or an entry could outlive its wait and be taken up at the next start. */
  const lock = createKeyLock()
  const inTurn = <T>(work: () => Promise<T>) => lock('journal', work)
  const closing = new AbortController()
  const schedule = createLookSchedule({ look, concurrency, clock })
  const outage = createOutage(random)

  const report = (error: unknown, taskId?: number) => {
    ;(async () => onError?.(error, taskId))().catch(() => {})
  }

  function enter(taskId: number, wait: Wait): void {
    waits.set(taskId, { ...wait, looks: 0, misses: 0 })
    schedule.set(taskId, clock.now())
  }

  async function look(taskId: number): Promise<number | undefined> {
    if (!waits.has(taskId)) return undefined
    try {
      const task = await read(taskId)
      if (closing.signal.aborted) return undefined
      const wait = waits.get(taskId)
      if (wait && task) await found(taskId, wait, task)
      if (wait && waits.get(taskId) === wait && isOver(wait))
        await end(taskId, wait, { outcome: 'timed-out', status: wait.status, ...(task && { task }) })
    } catch (failure) {
      // What a callback or the journal throws ends nothing: the next look tries again.
      report(failure, taskId)
    }
    const still = waits.get(taskId)
    return still && nextLook(still)
  }

  async function read(taskId: number): Promise<Task | undefined> {
    try {
      const task = await client.readTask({ params: { id: taskId } }, { signal: closing.signal })
      outage.end()
      return task
    } catch (failure) {
      if (closing.signal.aborted) return undefined
      if (isAboutOneTask(failure)) await missed(taskId, failure)
      else pauseAll(failure)
      return undefined
    }
  }

  async function found(taskId: number, wait: Waiting, task: Task): Promise<void> {
    const { status } = task
    wait.misses = 0
    if (isFinal(status)) return end(taskId, wait, { outcome: kindOf(status), status, task })
    if (status === wait.status) return
    const previous = wait.status
    Object.assign(wait, { status, looks: 0 })
    await inTurn(async () => waits.get(taskId) === wait && journal.set(String(taskId), written(wait)))
    await onProgress?.({ taskId, status, previous, task, meta: wait.meta })
  }

  async function missed(taskId: number, failure: unknown): Promise<void> {
    const wait = waits.get(taskId)
    if (!wait || ++wait.misses < MISSES_TO_GIVE_UP) return
    report(failure, taskId)
    await end(taskId, wait, { outcome: 'unknown', status: wait.status })
  }

  /** A service that is down, or refuses the key, is asked by few and seldom, however many tasks wait. */
  function pauseAll(failure: unknown): void {
    if (!outage.isOn) report(failure)
    schedule.pauseUntil(clock.now() + outage.pauseAfter(failure))
  }

  /** Reported first and forgotten after: what dies in between is reported again, never lost. */
  async function end(taskId: number, wait: Waiting, outcome: Omit<Outcome, 'taskId' | 'meta'>): Promise<void> {
    await onOutcome({ taskId, meta: wait.meta, ...outcome })
    await inTurn(async () => {
      if (waits.get(taskId) !== wait) return
      waits.delete(taskId)
      await journal.delete(String(taskId))
    })
  }

  function nextLook(wait: Waiting): number {
    // An outage says nothing about the task: it is looked at as soon as the pause of all is over.
    if (outage.isOn) return clock.now()
    wait.looks++
    const pause = grown({ firstMs: minDelayMs, longestMs: maxDelayMs, growth: GROWTH }, wait.looks)
    const at = clock.now() + spread(pause, random())
    return wait.deadline !== undefined && wait.deadline > clock.now() ? Math.min(at, wait.deadline) : at
  }

  const isOver = ({ deadline }: Wait) => deadline !== undefined && clock.now() >= deadline

  return {
    async resume() {
      let count = 0
      for await (const [key, wait] of journal.entries<Wait>()) {
        if (closing.signal.aborted) break
        if (waits.has(Number(key))) continue
        enter(Number(key), wait)
        count++
      }
      return count
    },
    async add(taskId, { deadline, status = 'Received', meta = {} } = {}) {
      closing.signal.throwIfAborted()
      const wait: Wait = { status, meta, ...(deadline !== undefined && { deadline }) }
      await inTurn(async () => {
        await journal.set(String(taskId), wait)
        enter(taskId, wait)
      })
    },
    nudge(taskId) {
      if (!waits.has(taskId)) return false
      schedule.set(taskId, clock.now())
      return true
    },
    cancel: (taskId) =>
      inTurn(async () => {
        const ended = (taskId === undefined ? [...waits.keys()] : [taskId]).filter((id) => waits.delete(id))
        for (const id of ended) schedule.delete(id)
        await journal.delete(ended.map(String))
        return ended
      }),
    get size() {
      return waits.size
    },
    async close() {
      closing.abort()
      await schedule.close()
      waits.clear()
    },
  }
}

const written = ({ status, deadline, meta }: Wait): Wait => ({
  status,
  meta,
  ...(deadline !== undefined && { deadline }),
})

function kindOf(status: TaskStatus): 'completed' | 'rejected' | 'ended' {
  return status === 'Completed' ? 'completed' : status === 'Rejected' ? 'rejected' : 'ended'
}

/** Refused for this task alone: other tasks may well be read. */
const isAboutOneTask = (failure: unknown): boolean =>
  failure instanceof RefusedError && !(failure instanceof UnauthorizedError) && failure.status !== 429
