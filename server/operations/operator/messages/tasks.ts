/** Tasks as the operator's interface shows and takes them. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { id, Npi, optional, pathId, text } from '../../../../lib/contract/primitives.ts'
import { Patient } from '../../../../lib/contract/task/patient.ts'
import { MAX_REASON } from '../../../../lib/contract/task/status-reason.ts'
import { TaskStatus } from '../../../../lib/contract/task/task.ts'
import { preparations } from '../../../../lib/pdf/prepare/preparation.ts'
import type { ActorKind } from '../../../domain/audit.ts'
import { STAFF_KINDS } from '../../../domain/staff-documents.ts'
import type { StuckReason } from '../../../domain/task/next-steps.ts'
import type { StoryKind } from '../../../domain/task/story.ts'
import { DeliveryFile } from './deliveries.ts'
import { limit, only, Time } from './lists.ts'

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
  organizationId: z.int(),
  sender: z.string(),
  documentType: z.string(),
  signerNpi: z.string(),
  signer: z.string(),
  externalDocId: z.string(),
  /** The patient as `--patients-in-lists` says; null where nothing is shown, or the patient was removed. */
  patient: z.object({ name: z.string(), birthDate: z.string().nullable() }).nullable(),
  /** Whether the sender has recorded the outcome. */
  isRecorded: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type OverviewTask = z.infer<typeof OverviewTask>

export const TaskDetail = OverviewTask.omit({ patient: true }).extend({
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
  values: z.record(z.string(), z.union([z.string(), z.number()])).register(docs, {
    title: 'Values',
    description: 'What the sentence names, to word it in another language.',
    examples: [{ signer: 'Ian Voss MD' }],
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

/** The next step for a task that does not move. */
const NextStep = z.object({
  reason: z.custom<StuckReason>((value) => typeof value === 'string'),
  sentence: z.string().register(docs, {
    title: 'Sentence',
    description: 'Why the task does not move, and who can change that.',
    examples: ['The signer does not see the document until an operator decides who the patient is.'],
  }),
  values: z.record(z.string(), z.string()).register(docs, {
    title: 'Values',
    description: 'What the sentence names, to word it in another language.',
    examples: [{}],
  }),
  act: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('open'), label: z.string(), route: z.string() }),
    z.object({ kind: z.literal('review'), label: z.string() }),
    z.object({ kind: z.literal('resend'), label: z.string(), subscriptionId: z.int() }),
    z.object({ kind: z.literal('remind'), label: z.string(), npi: z.string() }),
    z.object({ kind: z.literal('copy'), label: z.string(), text: z.string() }),
  ]),
})
export type NextStep = z.infer<typeof NextStep>

const Review = z.object({
  reason: z.string(),
  sent: Patient,
  candidates: z.array(
    z.object({
      id: z.int(),
      patient: Patient,
      orders: z.int().register(docs, {
        title: 'Orders',
        description: 'How many tasks of this patient there are.',
        examples: [4],
      }),
    }),
  ),
})
export type Review = z.infer<typeof Review>

/** A task with everything that happened to it. */
export const TaskFile = z.object({
  task: TaskDetail,
  events: z.array(TaskEvent),
  /** Everything that happened to it, one sentence per act, in order. */
  story: z.array(StoryEntry),
  deliveries: z.array(DeliveryFile),
  /** One for each reason that it is stuck for; empty while it moves, and once it is done with. */
  nextSteps: z.array(NextStep),
  /** Open while a person has to decide who the patient is. */
  review: Review.nullable(),
  fontNotes: z.array(z.string()).register(docs, {
    title: 'Font notes',
    description: 'A sentence for each name on the document that has characters for which the service has no font.',
    examples: [[]],
  }),
  /** The PDFs that the caller may open, by the setting `--staff-documents`. */
  documents: z.array(z.enum(STAFF_KINDS)),
  /** The acts that the user may do now. */
  mayCancel: z.boolean(),
  mayDecide: z.boolean(),
  mayUndoReview: z.boolean(),
})
export type TaskFile = z.infer<typeof TaskFile>

const taskFilter = {
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
  organizationId: only('Organization', 'Only tasks of this sender.'),
  signer: optional(Npi).register(docs, {
    title: 'Signer',
    description: 'Only tasks for the signer with this NPI.',
    examples: ['9999900018'],
  }),
  typeId: only('Document type', 'Only tasks with a document of this type, by its id.'),
  from: optional(Time).register(docs, {
    title: 'From',
    description: 'Only tasks that were received then or later.',
    examples: ['2026-03-02T09:00:00Z'],
    type: 'string',
  }),
  to: optional(Time).register(docs, {
    title: 'To',
    description: 'Only tasks that were received before this time.',
    examples: ['2026-03-03T09:00:00Z'],
    type: 'string',
  }),
  olderThan: optional(pathId().pipe(z.number().max(36_500, 'at most 36500'))).register(docs, {
    title: 'Older than',
    description: 'Only tasks that were received more than this number of days ago.',
    examples: [3],
    type: 'integer',
  }),
  recorded: optional(z.stringbool({ truthy: ['true'], falsy: ['false'] })).register(docs, {
    title: 'Recorded',
    description: 'Whether the sender has recorded the outcome.',
    examples: [false],
    type: 'boolean',
  }),
}

export const ExportQuery = z.strictObject(taskFilter)

export const TaskQuery = z.strictObject({
  ...taskFilter,
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
