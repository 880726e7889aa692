/**
 * Finds the outcomes that no one has recorded: tasks that are Completed, Rejected or Failed, of which neither the host nor the
 * ledger knows that they are dealt with. Each is claimed before it is yielded, so that two searches at once do not yield the same.
 */
import type { Task, TaskStatus } from '../../contract/task/task.ts'
import type { Client } from '../client.ts'
import { isAboutOneTask } from '../errors.ts'
import { listAll } from '../list-all.ts'
import { createHorizon } from './horizon.ts'
import { isRecorded } from './is-recorded.ts'
import type { OutcomeLedger } from './outcome-ledger.ts'

export interface UnrecordedOptions {
  client: Pick<Client, 'listTasks' | 'readTask'>
  ledger: OutcomeLedger
  /** Whether someone waits for the task, who will send its outcome. */
  isAwaited: (taskId: number) => Promise<boolean>
  /** Tasks that were created earlier are left alone; milliseconds since 1970. */
  createdSince: number
  quietMs: number
  repeatMs: number
  signal: AbortSignal
}

export interface Unrecorded {
  /** The record as read a moment ago. */
  task: Task
  /** How often its outcome was sent before. */
  sentBefore: number
}

export interface Searched {
  /** False when the host may have more tasks than it listed. */
  isComplete: boolean
}

/** The outcomes that someone has to deal with. Retracted and Cancelled tasks were ended by the sender or the operator. */
const STATUSES: readonly TaskStatus[] = ['Completed', 'Rejected', 'Failed']

/** Rejects with the errors of the client when the host cannot be searched to the end; what was yielded until then stays claimed. */
export async function* unrecorded(options: UnrecordedOptions): AsyncGenerator<Unrecorded, Searched> {
  let isComplete = true
  for (const status of STATUSES) {
    const searched = yield* unrecordedIn(options, status)
    isComplete &&= searched.isComplete
  }
  return { isComplete }
}

async function* unrecordedIn(options: UnrecordedOptions, status: TaskStatus): AsyncGenerator<Unrecorded, Searched> {
  const { client, createdSince, signal } = options
  const horizon = createHorizon(createdSince)
  const listed = listAll(client, { status }, { signal })
  for (let next = await listed.next(); ; next = await listed.next()) {
    if (next.done) return { isComplete: next.value.isComplete }
    const place = horizon(next.value.createdAt)
    if (place === 'end') return { isComplete: true }
    const found = place === 'within' && (await claimed(options, next.value))
    if (found) yield found
  }
}

/** Returns the outcome when the caller is the one to send it. */
async function claimed(options: UnrecordedOptions, listed: Task): Promise<Unrecorded | undefined> {
  const { ledger, isAwaited, quietMs, repeatMs } = options
  const { taskId } = listed
  const pace = { endedAt: timeOf(listed.updatedAt), quietMs, repeatMs }
  if (isRecorded(listed) || !(await ledger.isDue(taskId, pace)) || (await isAwaited(taskId))) return undefined
  // A list may lag behind, or omit what was recorded.
  const task = await read(options, taskId)
  if (!task) return undefined
  if (isRecorded(task)) {
    await ledger.recorded(taskId)
    return undefined
  }
  const taken = await ledger.take(taskId, pace)
  return taken && { task, ...taken }
}

/** Undefined for a task that is listed, but cannot be read: the others can be. */
async function read({ client, signal }: UnrecordedOptions, taskId: number): Promise<Task | undefined> {
  try {
    return await client.readTask({ params: { id: taskId } }, { signal })
  } catch (failure) {
    if (isAboutOneTask(failure)) return undefined
    throw failure
  }
}

const timeOf = (timestamp: string | null | undefined) => (timestamp ? Date.parse(timestamp) : undefined)
