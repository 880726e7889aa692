/** Tasks, deliveries and templates as the operator's interface shows and takes them. The console takes its types from here. */
import * as z from 'zod'
import { docs } from '../../../lib/contract/docs.ts'
import { FieldType } from '../../../lib/contract/document.ts'
import { Patient } from '../../../lib/contract/patient.ts'
import { id, optional, pathId, rule, text } from '../../../lib/contract/primitives.ts'
import { TaskStatus } from '../../../lib/contract/task.ts'
import { preparations } from '../../../lib/pdf/preparation.ts'
import { DEFAULT_PAGE_SIZE, MAX_FIELD_TEXT } from '../../choices.ts'
import type { ActorKind, AuditAction } from '../../domain/audit.ts'
import { Attempt, Delivery, deliveryStates } from '../delivery.ts'
import { Field } from '../field.ts'

export type { Attempt, Delivery }

const count = z.int()
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
  patient: Patient,
  clinicalDate: z.string(),
  /** What was done to the document before it was shown to the signer. */
  preparations: z.array(z.enum(preparations)),
  isFiled: z.boolean(),
  isArchived: z.boolean(),
})
export type TaskDetail = z.infer<typeof TaskDetail>

const TaskEvent = z.object({ eventId: z.string(), status: TaskStatus, at: z.string() })
export type TaskEvent = z.infer<typeof TaskEvent>

/** What somebody did, from the audit log. */
const TaskAct = z.object({
  at: z.string(),
  action: z.custom<AuditAction>((value) => typeof value === 'string'),
  actor: z.custom<ActorKind>((value) => typeof value === 'string'),
  actorId: z.string().nullable(),
})
export type TaskAct = z.infer<typeof TaskAct>

const Review = z.object({
  reason: z.string(),
  sent: Patient,
  candidates: z.array(z.object({ id: z.int(), patient: Patient })),
})
export type Review = z.infer<typeof Review>

/** A delivery with its attempts, in order. */
export const DeliveryFile = Delivery.extend({ log: z.array(Attempt) })
export type DeliveryFile = z.infer<typeof DeliveryFile>

/** A task with everything that happened to it. */
export const TaskFile = z.object({
  task: TaskDetail,
  events: z.array(TaskEvent),
  acts: z.array(TaskAct),
  deliveries: z.array(DeliveryFile),
  /** Open while a person has to decide who the patient is. */
  review: Review.nullable(),
  /** What the caller may do now. */
  mayCancel: z.boolean(),
  mayDecide: z.boolean(),
})
export type TaskFile = z.infer<typeof TaskFile>

/** How many are listed; a page that wants to see more asks for more, so that it stays whole when new ones come. */
const limit = pathId()
  .pipe(z.number().max(500, 'at most 500'))
  .default(DEFAULT_PAGE_SIZE)
  .register(docs, {
    title: 'Limit',
    description: `How many are listed, 1 to 500; ${DEFAULT_PAGE_SIZE} when left out.`,
    examples: [100],
    type: 'integer',
  })

/** A filter by an id. */
const only = (title: string, description: string) =>
  optional(pathId()).register(docs, { title, description, examples: [1], type: 'integer' })

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
})

const when = 'a time such as 2026-03-02T09:00:00Z'
const Time = z.union([z.iso.datetime({ offset: true }), z.iso.date()], rule(when))
const State = z.enum(deliveryStates, rule(`some of ${deliveryStates.join(', ')}`))

export const DeliveryQuery = z.strictObject({
  state: optional(
    z
      .string(rule('given once'))
      .transform((given) => given.split(','))
      .pipe(z.array(State)),
  ).register(docs, {
    title: 'State',
    description: `Some of ${deliveryStates.join(', ')}, divided by commas.`,
    examples: ['failed,cancelled'],
    type: 'string',
  }),
  deliveryId: only('Delivery', 'Only this delivery.'),
  eventId: optional(text(64)).register(docs, {
    title: 'Event',
    description: 'Only deliveries of this event.',
    examples: ['6f1c2d1e-3f52-4c2a-9c33-0d6a4c0c7f11'],
  }),
  taskId: only('Task', 'Only deliveries about this task.'),
  subscriptionId: only('Subscription', 'Only deliveries to this subscription.'),
  organizationId: only('Organization', 'Only deliveries of this organization.'),
  since: optional(Time).register(docs, {
    title: 'Since',
    description: 'Only events that occurred then or later.',
    examples: ['2026-03-02T09:00:00Z'],
    type: 'string',
  }),
  limit,
  before: only('Before', 'Only deliveries older than this one: the next page.'),
})

const reason = 'text of 1 to 500 characters'
const Reason = z.string(rule(reason)).max(500, reason).regex(/\S/, reason)

export const CancelBody = z.object({ reason: Reason })
export type CancelBody = z.input<typeof CancelBody>

export const DecisionBody = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('same'), patientId: id() }),
  z.object({ decision: z.literal('new') }),
  z.object({ decision: z.literal('fail'), reason: Reason }),
])
export type DecisionBody = z.input<typeof DecisionBody>

/** Which deliveries are sent again. */
export const RedeliverBody = z.object({
  deliveryId: optional(id()),
  eventId: optional(text(64)),
  taskId: optional(id()),
  subscriptionId: optional(id()),
  organizationId: optional(id()),
  /** All that failed, of events since this moment. */
  failedSince: optional(Time),
  since: optional(Time),
  states: optional(z.array(State)),
  /** Says how many it would be, and changes nothing. */
  dryRun: optional(z.boolean(rule('true or false'))),
})
export type RedeliverBody = z.input<typeof RedeliverBody>

const days = optional(z.int(rule('a whole number of days')).min(0, 'from 0').max(3660, 'up to 3660'))
const point = z.number(rule('a number')).min(0, 'a number of at least 0').max(14_400, 'inside a page')
const diagnosisCodes = ['none', 'allowed', 'required'] as const

export const TemplateBody = z.object({
  organizationId: id(),
  summary: text(100),
  clinicalDateLabel: text(100),
  diagnosisCode: z.enum(diagnosisCodes, rule(`one of ${diagnosisCodes.join(', ')}`)),
  daysBefore: days,
  daysAfter: days,
  fields: z
    .array(
      z.object({
        type: FieldType,
        page: id(),
        required: z.boolean(rule('true or false')),
        value: optional(z.string().max(MAX_FIELD_TEXT, `text of at most ${MAX_FIELD_TEXT} characters`)),
        box: z
          .object({ left: point, top: point, right: point, bottom: point })
          .refine(({ left, top, right, bottom }) => left < right && top < bottom, 'a box with a width and a height'),
      }),
      rule('an array of at least one field'),
    )
    .min(1, 'at least one field')
    .max(500, 'at most 500 fields'),
})
export type TemplateBody = z.input<typeof TemplateBody>

/** What is left out stays as it is. A template stays with its organization. */
export const TemplateChangeBody = TemplateBody.omit({ organizationId: true }).partial()
export type TemplateChangeBody = z.input<typeof TemplateChangeBody>

const TemplateRules = z.object({
  templateId: z.int(),
  organizationId: z.int(),
  organization: z.string(),
  summary: z.string(),
  clinicalDateLabel: z.string(),
  diagnosisCode: z.enum(diagnosisCodes),
  daysBefore: z.int().nullable(),
  daysAfter: z.int().nullable(),
  pdfRequired: z.boolean(),
  isCustomTemplate: z.boolean(),
})

/** A template as it is listed, with the number of its fields. */
export const ListedTemplate = TemplateRules.extend({ fields: z.int() })
export type ListedTemplate = z.infer<typeof ListedTemplate>

/** A template with its fields, to be edited. */
export const TemplateFile = TemplateRules.extend({ fields: z.array(Field) })
export type TemplateFile = z.infer<typeof TemplateFile>
