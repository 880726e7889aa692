/** What the console's page and its server say to each other. The page takes the types from here and nothing else. */
import * as z from 'zod'
import { FieldType, MAX_ANNOTATIONS } from '../../lib/contract/document.ts'
import { MAX_FIELD_TEXT } from '../../lib/contract/field-kinds.ts'
import { id, optional, pathId, rule, text, upTo } from '../../lib/contract/primitives.ts'
import { TaskStatus } from '../../lib/contract/task.ts'
import type { Field } from '../../lib/pdf/placement.ts'
import { DEFAULT_PAGE_SIZE } from '../choices.ts'
import type { Attempt, Delivery } from '../store/deliveries.ts'
import type { Review } from '../store/reviews.ts'
import type { Counts, OverviewTask, TaskAct, TaskDetail, TaskEvent } from '../store/task-overview.ts'
import type { WorkerHealth } from '../workers/pulse.ts'

export type { Attempt, Counts, Delivery, OverviewTask, Review, TaskAct, TaskDetail, TaskEvent }

/** A worker as its process saw it when it told. */
export interface WorkerState extends WorkerHealth {
  name: string
}

/** A task with everything that happened to it. */
export interface TaskFile {
  task: TaskDetail
  events: TaskEvent[]
  acts: TaskAct[]
  deliveries: (Delivery & { log: Attempt[] })[]
  /** Open while a person has to decide who the patient is. */
  review: Review | null
  /** What the visitor may do now. */
  mayCancel: boolean
  mayDecide: boolean
}

/** How many are listed; a page that wants to see more asks for more, so that it stays whole when new ones come. */
const limit = pathId().pipe(z.number().max(500, 'at most 500')).default(DEFAULT_PAGE_SIZE)
const flag = z.stringbool({ truthy: ['true'], falsy: ['false'] })

export const TaskQuery = z.strictObject({
  status: optional(TaskStatus),
  review: optional(flag),
  limit,
})

const states = ['waiting', 'delivered', 'failed', 'cancelled'] as const
export const DeliveryQuery = z.strictObject({
  state: optional(z.enum(states, rule(`one of ${states.join(', ')}`))),
  limit,
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

export const RedeliverBody = z.union([
  z.object({ deliveryId: id() }),
  /** All that failed, of events since this moment. */
  z.object({ failedSince: z.iso.datetime(rule('a time in UTC, ISO 8601')) }),
])
export type RedeliverBody = z.input<typeof RedeliverBody>

const days = optional(z.int(rule('a whole number of days')).min(0, 'from 0').max(3660, 'up to 3660'))
const point = z.number(rule('a number')).min(0, 'a number of at least 0').max(14_400, 'inside a page')

export const TemplateBody = z.object({
  organizationId: id(),
  summary: text(100),
  clinicalDateLabel: text(100),
  diagnosisCode: z.enum(['none', 'allowed', 'required'], rule('one of none, allowed, required')),
  daysBefore: days,
  daysAfter: days,
  fields: z
    .array(
      z.object({
        type: FieldType,
        page: id(),
        required: z.boolean(rule('true or false')),
        value: optional(upTo(MAX_FIELD_TEXT)),
        box: z
          .object({ left: point, top: point, right: point, bottom: point })
          .refine(({ left, top, right, bottom }) => left < right && top < bottom, 'a box with a width and a height'),
      }),
      rule('an array of at least one field'),
    )
    .min(1, 'at least one field')
    .max(MAX_ANNOTATIONS, `at most ${MAX_ANNOTATIONS} fields`),
})
export type TemplateBody = z.input<typeof TemplateBody>

/** A template stays with its organization. */
export const TemplateChangeBody = TemplateBody.omit({ organizationId: true })
export type TemplateChangeBody = z.input<typeof TemplateChangeBody>

/** A template with its fields, to be edited. */
export type TemplateFile = Omit<ListedTemplate, 'fields'> & { fields: Field[] }

/** A template as the console lists it. */
export interface ListedTemplate {
  templateId: number
  organizationId: number
  organization: string
  summary: string
  clinicalDateLabel: string
  diagnosisCode: 'none' | 'allowed' | 'required'
  daysBefore: number | null
  daysAfter: number | null
  fields: number
}
