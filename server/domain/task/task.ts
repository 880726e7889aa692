/** The task state machine: which trigger leads from where to where. Pure: no clock, no I/O. spec: States and transitions */
import { EVENT_TYPE } from '../../../lib/contract/callback.ts'
import type { StatusEvent } from '../../../lib/contract/event.ts'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { TaskAction } from '../audit.ts'
import { Refusal } from '../refusal.ts'

interface Rule {
  from: readonly TaskStatus[]
  to: TaskStatus
  /** Completes the sentence "only a Pending task can be …". */
  done: string
  /** Its name in the audit log; null when the log does not hold it. */
  action: TaskAction | null
}

/** Subscribers are notified of each. */
export const transitions = {
  present: {
    from: ['Received', 'Processing'],
    to: 'Pending',
    done: 'presented to its signer',
    action: 'task.present',
  },
  fail: { from: ['Received', 'Processing'], to: 'Failed', done: 'failed', action: 'task.fail' },
  sign: { from: ['Pending'], to: 'Completed', done: 'signed', action: 'task.sign' },
  reject: { from: ['Pending'], to: 'Rejected', done: 'rejected', action: 'task.reject' },
  retract: { from: ['Pending'], to: 'Retracted', done: 'retracted', action: 'task.retract' },
  /** The specification names no way into Cancelled: it is the operator's alone. choice: Cancelled */
  cancel: {
    from: ['Received', 'Processing', 'Pending'],
    to: 'Cancelled',
    done: 'cancelled',
    action: 'task.cancel',
  },
} as const satisfies Record<string, Rule>

/** Steps on the way through ingestion, which send no event. choice: Processing is silent */
export const steps = {
  /** A worker takes the task on, again when the one before it died. */
  begin: { from: ['Received', 'Processing'], to: 'Processing', done: 'taken into ingestion', action: null },
  /** Ingestion stops until a person decides who the patient is. */
  hold: { from: ['Processing'], to: 'Processing', done: 'held for a review', action: null },
  /** The person has decided, and ingestion continues. */
  resume: { from: ['Processing'], to: 'Processing', done: 'reviewed', action: 'task.review' },
  /** The decision is undone: the document leaves the signer's inbox, and the review is open again. */
  reopen: { from: ['Pending'], to: 'Processing', done: 'put back into review', action: 'task.reopen' },
} as const satisfies Record<string, Rule>

export type Trigger = keyof typeof transitions
export type Step = keyof typeof steps

/** The status of a task that was just created. */
export const FIRST_STATUS: TaskStatus = 'Received'

/** The state that decisions about a task read and change. */
export interface TaskState {
  id: number
  status: TaskStatus
  statusReason: string | null
  /** Id of the request in the signer's inbox; null until the task is Pending. */
  documentId: number | null
  isArchived: boolean
  isFiled: boolean
  externalSavedDocumentId: string | null
}

export interface TriggerFacts {
  at: Date
  eventId: string
  reason?: string | null | undefined
  /** Given with `present`. */
  documentId?: number
}

/** A decision: the task as it is to be from now on, and what follows from that. */
export interface TaskChange {
  task: TaskState
  at: Date
  /** Null when subscribers are not notified of it. */
  event: StatusEvent | null
  action: TaskAction | null
}

/** The task after the trigger, and the event that tells of it. Refuses what the table does not hold. */
export function transition(task: TaskState, trigger: Trigger, facts: TriggerFacts): TaskChange {
  const { to, action } = allowed(task, transitions[trigger])
  const changed: TaskState = {
    ...task,
    status: to,
    statusReason: facts.reason ?? null,
    documentId: facts.documentId ?? task.documentId,
  }
  return { task: changed, at: facts.at, event: eventOf(changed, facts), action }
}

/** The task after a step of ingestion. Refuses what the table does not hold. */
export function proceed(task: TaskState, step: Step, at: Date): TaskChange {
  const { to, action } = allowed(task, steps[step])
  return { task: { ...task, status: to }, at, event: null, action }
}

/** The message for a signer, who can do nothing with a task that is not Pending. */
export const NO_LONGER_WAITS =
  'This document no longer waits for you: it was withdrawn, or signed or rejected in another window.'

function allowed(task: TaskState, rule: Rule): Rule {
  if (!rule.from.includes(task.status))
    throw new Refusal(
      'conflict',
      `Task ${task.id} is ${task.status}; only a ${rule.from.join(' or ')} task can be ${rule.done}.`,
    ).inPlainWords(NO_LONGER_WAITS)
  return rule
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
