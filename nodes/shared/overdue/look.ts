/** One look of an overdue node: sends a message for each open task that has come to a threshold. */
import { isAboutOneTask } from '../../../lib/client/errors.ts'
import { listAll } from '../../../lib/client/list-all.ts'
import type { Task } from '../../../lib/contract/task/task.ts'
import { isFinal, taskStatuses } from '../../../lib/contract/task/task-status.ts'
import { dayAt } from '../../../lib/time-zone.ts'
import type { GuardedSend } from '../accepted/guarded-send.ts'
import type { Config, Message, Runtime, RuntimeNode, Send } from '../runtime/node-red.ts'
import { type Connection, noService, type ServiceNode } from '../service/connection.ts'
import { outcomeProperties } from '../service/outcome-properties.ts'
import type { Notes, TaskNote } from './notes.ts'
import type { OverdueJournal } from './overdue-journal.ts'
import { reminderId } from './reminder-id.ts'
import { type Reminder, remindersOf, type Schedule } from './reminders.ts'

/** The parts of one overdue node. */
export interface OverdueNode {
  runtime: Runtime
  node: RuntimeNode
  config: Config
  service: ServiceNode | null
  schedule: Schedule
  journal: () => Promise<OverdueJournal>
  notes: Notes
  guarded: GuardedSend
  /** Milliseconds since 1970. */
  now: () => number
  /** Aborted when the node closes. */
  signal: AbortSignal
}

/** Statuses in which a document still waits for its signer, or for getting there. */
const OPEN = taskStatuses.filter((status) => !isFinal(status))

/** @param asking the message that asked for the look; each reminder has its properties. Returns how many were sent. */
export async function lookForOverdue(overdueNode: OverdueNode, asking: Message, send: Send): Promise<number> {
  const { runtime, node, config, service, signal } = overdueNode
  signal.throwIfAborted()
  if (!service) throw noService(config.service)
  const { client } = await service.connect()
  let count = 0
  let isComplete = true
  for (const status of OPEN) {
    const listed = listAll(client, { status }, { signal })
    let next = await listed.next()
    for (; !next.done; next = await listed.next())
      count += await remindOf(overdueNode, client, next.value, asking, send)
    isComplete &&= next.value.isComplete
  }
  if (!isComplete) node.warn(runtime._('warning.incomplete'))
  return count
}

async function remindOf(
  overdueNode: OverdueNode,
  client: Connection['client'],
  listed: Task,
  asking: Message,
  send: Send,
): Promise<number> {
  const journal = await overdueNode.journal()
  const found = await remindersFor(overdueNode, journal, listed)
  if (found.due.length === 0) return 0
  // A list may lag behind: what is signed by now is not overdue.
  const task = await read(client, listed.taskId, overdueNode.signal)
  if (!task || isFinal(task.status)) return 0
  let count = 0
  for (const reminder of found.due)
    if (await emit(overdueNode, journal, { task, reminder, note: found.note }, asking, send)) count += 1
  return count
}

/** Returns the reminders of a task that are due, and what is known of it. */
async function remindersFor(
  { service, schedule, notes, now }: OverdueNode,
  journal: OverdueJournal,
  { taskId, createdAt }: Task,
): Promise<{ due: Reminder[]; note: TaskNote }> {
  const timeZone = service?.settings.timeZone ?? null
  const entry = await journal.read(taskId)
  const note = notes.open(taskId, entry.note)
  const sentAt = createdAt ? Date.parse(createdAt) : (entry.seenAt ?? (await journal.seen(taskId)))
  const days = {
    sent: dayAt(timeZone, new Date(sentAt)),
    clinicalDate: note.effectiveDate,
    today: dayAt(timeZone, new Date(now())),
  }
  return { due: remindersOf(days, schedule).filter((reminder) => journal.isDue(entry, reminder)), note }
}

/** Undefined for a task that is listed, but cannot be read: the others can be. */
async function read(client: Connection['client'], taskId: number, signal: AbortSignal): Promise<Task | undefined> {
  try {
    return await client.readTask({ params: { id: taskId } }, { signal })
  } catch (failure) {
    if (isAboutOneTask(failure)) return undefined
    throw failure
  }
}

interface Found {
  task: Task
  reminder: Reminder
  note: TaskNote
}

/** Sends the reminder when this process is the one to send it, and returns whether it did. */
async function emit(
  { runtime, node, config, service, guarded }: OverdueNode,
  journal: OverdueJournal,
  { task, reminder, note }: Found,
  asking: Message,
  send: Send,
): Promise<boolean> {
  const { taskId } = task
  const { kind, threshold, daysOpen, windowEnds, daysLeft } = reminder
  const claim = await journal.claim(taskId, reminder)
  if (!claim) return false
  const id = reminderId(node.id, taskId, reminder)
  const message = Object.assign(runtime.util.cloneMessage(asking), {
    payload: task,
    ...outcomeProperties(service, taskId, task.status, task),
    userNPI: note.userNPI,
    kind,
    threshold,
    daysOpen,
    ...(windowEnds !== null && { windowEnds, daysLeft }),
    reminder: id,
    sentBefore: claim.sentBefore,
  })
  const settle = () => journal.emitted(taskId, reminder)
  try {
    await guarded.pass({ id, message, output: 0, send: () => send(message), settle })
  } catch (failure) {
    await journal.release(taskId, reminder)
    throw failure
  }
  if (config.redelivery !== 'acknowledged') await settle()
  return true
}
