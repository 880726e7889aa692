/** Tasks as the operator's interface shows and takes them. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { id, optional, text } from '../../../../lib/contract/primitives.ts'
import { Patient } from '../../../../lib/contract/task/patient.ts'
import { MAX_REASON } from '../../../../lib/contract/task/status-reason.ts'
import { TaskStatus } from '../../../../lib/contract/task/task.ts'
import { preparations } from '../../../../lib/pdf/prepare/preparation.ts'
import type { ActorKind } from '../../../domain/audit.ts'
import type { StoryKind } from '../../../domain/task/story.ts'
import { DeliveryFile } from './deliveries.ts'
import { limit, only } from './lists.ts'

const count = z.int().register(docs, { title: 'Count', description: 'How many there are now.', examples: [3] })
export const Counts = z.object({
  ingesting: count,
  inReview: count,
  pending: count,
  deliveriesWaiting: count,
  deliveriesFailed: count,
})
export type Counts = z.infer<typeof Counts>

export const OverviewTask = z.object({
  taskId: z.int(),
  status: TaskStatus,
  inReview: z.boolean(),
  sender: z.string(),
  documentType: z.string(),
  signer: z.string(),
  externalDocId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type OverviewTask = z.infer<typeof OverviewTask>

export const TaskDetail = OverviewTask.extend({
  statusReason: z.string().nullable(),
  externalSavedDocumentId: z.string().nullable(),
  documentId: z.int().nullable(),
  templateId: z.int().nullable(),
  /** Null once it was removed, as is the document. */
  patient: Patient.nullable(),
  clinicalDate: z.string().nullable(),
  contentsRemovedAt: z.string().nullable(),
  /** The changes made to the document before its signer saw it. */
  preparations: z.array(z.enum(preparations)),
  receivedSha256: z.string().register(docs, {
    title: 'SHA-256 as received',
    description: 'The SHA-256 of the document as it was received, in hexadecimal.',
    examples: ['b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
  }),
  hasOriginal: z.boolean().register(docs, {
    title: 'Has an original',
    description: 'Whether the document can be downloaded as it was received: its pages were converted to pictures.',
    examples: [false],
  }),
  isFiled: z.boolean(),
  isArchived: z.boolean(),
})
export type TaskDetail = z.infer<typeof TaskDetail>

const TaskEvent = z.object({ eventId: z.string(), status: TaskStatus, at: z.string() })
export type TaskEvent = z.infer<typeof TaskEvent>

/** One act on a task or one event on its way to a receiver, from the audit log and the log of deliveries. */
const StoryEntry = z.object({
  at: z.string(),
  kind: z.custom<StoryKind>((value) => typeof value === 'string'),
  outcome: z.enum(['done', 'refused']),
  sentence: z.string().register(docs, {
    title: 'Sentence',
    description: 'Who did what, for whom, and how it ended.',
    examples: ['Signed by Helen Marsh MD for Ian Voss MD.'],
  }),
  by: z.object({
    kind: z.custom<ActorKind>((value) => typeof value === 'string'),
    id: z.string().nullable(),
    name: z
      .string()
      .nullable()
      .register(docs, {
        title: 'Name',
        description: 'Of a key: the person whose key it is.',
        examples: ['Ann Vale'],
      }),
  }),
  onBehalfOf: z
    .object({ npi: z.string(), name: z.string() })
    .nullable()
    .register(docs, {
      title: 'On behalf of',
      description: 'The signer for whom a delegate acted; null otherwise.',
      examples: [null],
    }),
  status: TaskStatus.nullable(),
  deliveryId: z.int().nullable(),
})

const Review = z.object({
  reason: z.string(),
  sent: Patient,
  candidates: z.array(z.object({ id: z.int(), patient: Patient })),
})
export type Review = z.infer<typeof Review>

/** A task with everything that happened to it. */
export const TaskFile = z.object({
  task: TaskDetail,
  events: z.array(TaskEvent),
  /** Everything that happened to it, one sentence per act, in order. */
  story: z.array(StoryEntry),
  deliveries: z.array(DeliveryFile),
  /** Open while a person has to decide who the patient is. */
  review: Review.nullable(),
  fontNotes: z.array(z.string()).register(docs, {
    title: 'Font notes',
    description: 'A sentence for each name on the document that has characters for which the service has no font.',
    examples: [[]],
  }),
  /** The acts that the user may do now. */
  mayCancel: z.boolean(),
  mayDecide: z.boolean(),
})
export type TaskFile = z.infer<typeof TaskFile>

export const TaskQuery = z.strictObject({
  status: optional(TaskStatus).register(docs, {
    title: 'Status',
    description: 'Only tasks in this status.',
    examples: ['Pending'],
  }),
  review: optional(z.stringbool({ truthy: ['true'], falsy: ['false'] })).register(docs, {
    title: 'Review',
    description: 'True: only tasks that wait for a person to decide who the patient is.',
    examples: [true],
    type: 'boolean',
  }),
  limit,
  before: only('Before', 'Only tasks older than this one: the next page.'),
})

const Reason = text(MAX_REASON)

export const CancelBody = z.object({ reason: Reason })
export type CancelBody = z.input<typeof CancelBody>

export const DecisionBody = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('same'), patientId: id() }),
  z.object({ decision: z.literal('new') }),
  z.object({ decision: z.literal('fail'), reason: Reason }),
])
export type DecisionBody = z.input<typeof DecisionBody>
