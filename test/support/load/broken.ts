/** Holds what the service says in the end against what it acknowledged: a sentence for everything that it did not keep. */
import type { Subscription } from '../../../lib/contract/subscription.ts'
import type { Task, TaskStatus } from '../../../lib/contract/task/task.ts'
import type { Acknowledged } from './acknowledged.ts'
import type { Receiver } from './receiver.ts'

export interface Found {
  tasks: readonly Task[]
  subscriptions: readonly Subscription[]
  receivers: Readonly<Record<string, Receiver>>
}

/** The changes that a task in each status has been through, each told by one event. */
const TOLD: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  Received: [],
  Processing: [],
  Pending: ['Pending'],
  Completed: ['Pending', 'Completed'],
  Rejected: ['Pending', 'Rejected'],
  Retracted: ['Pending', 'Retracted'],
  Failed: ['Failed'],
  Cancelled: ['Pending', 'Cancelled'],
}

/** Whether nothing is left to be waited for: no task on its way, no change untold. */
export const isSettled = ({ tasks, receivers }: Omit<Found, 'subscriptions'>): boolean =>
  tasks.every(
    (task) =>
      isIngested(task) && Object.values(receivers).every((receiver) => changesNotTold(task, receiver).length === 0),
  )

export function brokenPromises({ created, outcomes, urls }: Acknowledged, found: Found): string[] {
  const { tasks, subscriptions, receivers } = found
  const known = new Map(tasks.map((task) => [task.taskId, task]))
  const sentences = [
    several(
      'acknowledged task is gone',
      [...created].filter((taskId) => !known.has(taskId)),
    ),
    several(
      'acknowledged outcome does not hold',
      [...outcomes]
        .filter(([taskId, status]) => known.get(taskId)?.status !== status)
        .map(([taskId, status]) => `${taskId} was ${status} and is ${known.get(taskId)?.status ?? 'gone'}`),
    ),
    several(
      'task is stuck',
      tasks.filter((task) => !isIngested(task)).map(({ taskId, status }) => `${taskId} is ${status}`),
    ),
    several(
      'subscription points elsewhere',
      subscriptions.filter(({ id, url }) => urls.has(id) && !urls.get(id)!.includes(url)).map(({ id }) => id),
    ),
    several(
      'subscription is not active',
      subscriptions.filter(({ isActive }) => !isActive).map(({ id }) => id),
    ),
  ]
  for (const [name, receiver] of Object.entries(receivers)) sentences.push(...brokenFor(name, receiver, tasks, known))
  return sentences.filter((sentence) => sentence !== null)
}

function brokenFor(name: string, receiver: Receiver, tasks: readonly Task[], known: ReadonlyMap<number, Task>) {
  const notTold = tasks.flatMap((task) => changesNotTold(task, receiver).map((status) => `${task.taskId} ${status}`))
  const twice = tasks.flatMap(({ taskId }) =>
    receiver
      .statusesOf(taskId)
      .filter((status) => receiver.eventIds(taskId, status).size > 1)
      .map((status) => `${taskId} ${status}`),
  )
  const untrue = receiver
    .tasks()
    .flatMap((taskId) => receiver.statusesOf(taskId).map((status) => ({ taskId, status })))
    .filter(({ taskId, status }) => !TOLD[known.get(taskId)?.status ?? 'Received'].includes(status as TaskStatus))
    .map(({ taskId, status }) => `${taskId} ${status}`)
  return [
    several(`change was not delivered to the ${name} receiver`, notTold),
    several(`change was delivered to the ${name} receiver with more than one eventId`, twice),
    several(`change was told to the ${name} receiver and did not happen`, untrue),
    receiver.counts.unproven > 0
      ? `${receiver.counts.unproven} × callback to the ${name} receiver was not proven`
      : null,
  ]
}

const isIngested = ({ status }: Task): boolean => status !== 'Received' && status !== 'Processing'

const changesNotTold = ({ taskId, status }: Task, receiver: Receiver): TaskStatus[] =>
  TOLD[status].filter((change) => receiver.eventIds(taskId, change).size === 0)

const SHOWN = 5

function several(what: string, cases: readonly (string | number)[]): string | null {
  if (cases.length === 0) return null
  const more = cases.length > SHOWN ? ', …' : ''
  return `${cases.length} × ${what}: ${cases.slice(0, SHOWN).join(', ')}${more}`
}
