/** One look at a task that is waited for: reads it, reports what is new, and says when to look again. */
import { type BackOff, grown, spread } from '../../back-off.ts'
import type { Clock } from '../../clock.ts'
import type { Task } from '../../contract/task/task.ts'
import { outcomeOf } from '../../contract/task/task-status.ts'
import type { Client } from '../client.ts'
import { isAboutOneTask } from '../errors.ts'
import type { Outage } from './outage.ts'
import type { Outcome, Progress, Repeat } from './outcome.ts'
import type { Wait, WaitEntry, Waits } from './waits.ts'

/** State shared by the looks of a watch. */
export interface Looking {
  client: Pick<Client, 'readTask'>
  waits: Waits
  outage: Outage
  /** No look begins before this time. */
  pauseUntil: (at: number) => void
  onOutcome: (outcome: Outcome) => unknown
  repeat: Repeat | undefined
  onProgress: (progress: Progress) => unknown
  onError: (error: unknown, taskId?: number) => void
  /** The pauses between looks that find nothing new. */
  pauses: BackOff
  clock: Clock
  random: () => number
  /** Aborted when the watch closes. */
  signal: AbortSignal
}

/** A replica may not know a task yet that was created a moment ago. */
const MISSES_TO_GIVE_UP = 4

/** Returns when to look again; undefined when the wait is over. Never rejects. */
export async function look(looking: Looking, taskId: number): Promise<number | undefined> {
  const { waits, clock, signal, onError } = looking
  const known = waits.get(taskId)
  if (!known) return undefined
  try {
    if (known.reports && (await looking.repeat?.isAcknowledged(taskId))) await waits.forget(taskId, known)
    if (!waits.get(taskId)) return undefined
    const task = await read(looking, taskId)
    if (signal.aborted) return undefined
    const wait = waits.get(taskId)
    if (wait && task) await found(looking, taskId, wait, task)
    if (wait && waits.get(taskId) === wait && isOver(wait, clock))
      await end(looking, taskId, wait, { outcome: 'timed-out', status: wait.status, ...(task && { task }) })
  } catch (failure) {
    // An error of a callback or of the journal must not end the watch: the next look retries.
    onError(failure, taskId)
  }
  const still = waits.get(taskId)
  return still && nextLook(looking, still)
}

async function read(looking: Looking, taskId: number): Promise<Task | undefined> {
  const { client, outage, signal } = looking
  try {
    const task = await client.readTask({ params: { id: taskId } }, { signal })
    outage.end()
    return task
  } catch (failure) {
    if (signal.aborted) return undefined
    if (isAboutOneTask(failure)) await missed(looking, taskId, failure)
    else pauseAll(looking, failure)
    return undefined
  }
}

async function found(looking: Looking, taskId: number, wait: Wait, task: Task): Promise<void> {
  const { status } = task
  wait.misses = 0
  const outcome = outcomeOf(status)
  if (outcome) return end(looking, taskId, wait, { outcome, status, task })
  if (status === wait.status) return
  const previous = wait.status
  Object.assign(wait, { status, looks: 0 })
  await looking.waits.save(taskId, wait)
  await looking.onProgress({ taskId, status, previous, task, meta: wait.meta })
}

async function missed(looking: Looking, taskId: number, failure: unknown): Promise<void> {
  const wait = looking.waits.get(taskId)
  if (!wait || ++wait.misses < MISSES_TO_GIVE_UP) return
  looking.onError(failure, taskId)
  await end(looking, taskId, wait, { outcome: 'unknown', status: wait.status })
}

/** A service that is down, or refuses the key, is asked by few and seldom, however many tasks wait. */
function pauseAll({ outage, clock, pauseUntil, onError }: Looking, failure: unknown): void {
  if (!outage.isOn) onError(failure)
  pauseUntil(clock.now() + outage.pauseAfter(failure))
}

/**
 * Reports first and forgets after: a wait whose process dies in between is reported again, never lost. What is reported until it
 * is acknowledged stays.
 */
async function end(
  looking: Looking,
  taskId: number,
  wait: Wait,
  outcome: Omit<Outcome, 'taskId' | 'meta' | 'reportedBefore'>,
): Promise<void> {
  const { onOutcome, waits, repeat, clock } = looking
  const reportedBefore = wait.reports ?? 0
  const report = { taskId, meta: wait.meta, reportedBefore, ...outcome }
  if (!repeat || outcome.outcome === 'timed-out' || outcome.outcome === 'unknown') {
    await onOutcome(report)
    return waits.forget(taskId, wait)
  }
  const { reportedAt } = wait
  // Before the report, because it may be acknowledged before `onOutcome` has returned.
  waits.report(taskId, wait, clock.now())
  try {
    await onOutcome(report)
  } catch (failure) {
    waits.report(taskId, wait, reportedAt)
    throw failure
  }
  Object.assign(wait, { reports: reportedBefore + 1, looks: 0 })
  delete wait.deadline
  await waits.save(taskId, wait)
}

/** Undefined when only the next `resume` looks again. */
function nextLook({ outage, repeat, pauses, clock, random }: Looking, wait: Wait): number | undefined {
  if (wait.reportedAt !== undefined) {
    if (repeat?.afterMs === undefined) return undefined
    const dueAt = wait.reportedAt + repeat.afterMs
    if (dueAt > clock.now()) return dueAt
  }
  // An outage says nothing about the task: it is looked at as soon as the pause of all is over.
  if (outage.isOn) return clock.now()
  wait.looks++
  const at = clock.now() + spread(grown(pauses, wait.looks), random())
  return wait.deadline !== undefined && wait.deadline > clock.now() ? Math.min(at, wait.deadline) : at
}

const isOver = ({ deadline }: WaitEntry, clock: Clock) => deadline !== undefined && clock.now() >= deadline
