/** The task state machine: which trigger leads from where to where. Pure: no clock, no I/O. spec: States and transitions */
import { EVENT_TYPE, type StatusEvent } from '../../lib/contract/event.ts'
import type { TaskStatus } from '../../lib/contract/task.ts'
import { Refusal } from './refusal.ts'

/** `done` completes the sentence "only a Pending task can be …". */
export const transitions = {
  present: { from: ['Received', 'Processing'], to: 'Pending', done: 'presented to its signer' },
  fail: { from: ['Received', 'Processing'], to: 'Failed', done: 'failed' },
  sign: { from: ['Pending'], to: 'Completed', done: 'signed' },
  reject: { from: ['Pending'], to: 'Rejected', done: 'rejected' },
  retract: { from: ['Pending'], to: 'Retracted', done: 'retracted' },
  /** The specification names no way into Cancelled: it is the operator's alone. */
  cancel: { from: ['Received', 'Processing', 'Pending'], to: 'Cancelled', done: 'cancelled' },
} as const satisfies Record<string, { from: readonly TaskStatus[]; to: TaskStatus; done: string }>

export type Trigger = keyof typeof transitions

export interface TaskState {
  id: number
  status: TaskStatus
  statusReason: string | null
  /** Id of the request in the signer's inbox; null until the task is Pending. */
  documentId: number | null
}

export interface TriggerFacts {
  at: Date
  eventId: string
  reason?: string | null | undefined
  /** Given with `present`. */
  documentId?: number
}

export interface Change {
  task: TaskState
  event: StatusEvent
}

/** The task after the trigger, and the event that tells of it. Refuses what the table does not hold. */
export function transition(task: TaskState, trigger: Trigger, facts: TriggerFacts): Change {
  const { from, to, done } = transitions[trigger]
  if (!(from as readonly TaskStatus[]).includes(task.status))
    throw new Refusal('conflict', `Task ${task.id} is ${task.status}; only a ${from.join(' or ')} task can be ${done}.`)
  const changed: TaskState = {
    id: task.id,
    status: to,
    statusReason: facts.reason ?? null,
    documentId: facts.documentId ?? task.documentId,
  }
  return { task: changed, event: eventOf(changed, facts) }
}

const eventOf = (task: TaskState, { eventId, at }: TriggerFacts): StatusEvent => ({
  eventId,
  eventType: EVENT_TYPE,
  taskId: task.id,
  documentId: task.documentId,
  status: task.status,
  statusReason: task.statusReason,
  occurredAtUtc: at.toISOString(),
})

/** Statuses whose outcome the sender may record. spec: States and transitions › Rules */
const closable: readonly TaskStatus[] = ['Completed', 'Rejected', 'Retracted']

export interface Recorded {
  isArchived: boolean
  isFiled: boolean
}

export interface OutcomeWish {
  archived?: boolean | undefined
  saved?: boolean | undefined
}

/** Why the outcome of the task cannot be recorded so; `false` is wrong only where it would undo something. */
export function recordProblems(task: TaskState & Recorded, wish: OutcomeWish): string[] {
  return [
    ...(closable.includes(task.status)
      ? []
      : [`Task ${task.id} is ${task.status}; only a ${closable.join(', ')} task can be updated.`]),
    ...(task.isArchived && wish.archived === false ? ['archived: archiving cannot be undone'] : []),
    ...(task.isFiled && wish.saved === false ? ['saved: filing cannot be undone'] : []),
  ]
}

export const recorded = (task: Recorded, wish: OutcomeWish): Recorded => ({
  isArchived: task.isArchived || wish.archived === true,
  isFiled: task.isFiled || wish.saved === true,
})
