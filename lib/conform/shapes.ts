/** The shapes of answers and callbacks, no stricter than the interface: ids are any integers, and there may be further fields. */
import * as z from 'zod'
import { EVENT_TYPE } from '../contract/callback.ts'
import { TaskStatus } from '../contract/task/task.ts'

const whole = z.int('a whole number')
const text = z.string('text')
const flag = z.boolean('true or false')
const textOrNull = z.union([z.string(), z.null()], 'text or null')
const time = z
  .string('a time in ISO 8601')
  .refine((value) => /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)), 'a time in ISO 8601')

/** spec: Resources › Document type */
export const DocumentType = z.object({ id: whole, name: text, category: text })

/** spec: Resources › Template */
export const Template = z.object({
  templateId: whole,
  summary: text,
  clinicalDateLabel: text,
  diagnosisCodeAllowed: flag,
  diagnosisCodeRequired: flag,
  pdfRequired: flag,
  isCustomTemplate: flag,
})

const Address = z.object({ line: text, city: text, state: text, postalCode: text })

/** spec: Resources › Provider user */
export const Provider = z.object({
  npi: text,
  firstName: text,
  lastName: text,
  signingName: text,
  organizations: z.array(z.object({ name: text, npi: text, addresses: z.array(Address) }), 'an array'),
})

/** spec: Endpoints › Tasks */
export const Created = z.object({
  taskId: whole,
  status: z.literal('Received', 'Received'),
  statusReason: textOrNull,
})

/** spec: Errors */
export const CreateErrors = z.object({ errors: z.array(text, 'an array').min(1, 'at least one text') })

/** spec: Resources › Task read record */
export const ReadTask = z.object({
  taskId: whole,
  status: TaskStatus,
  statusReason: textOrNull.optional(),
  output: z.looseObject({}, 'an object'),
})

/** A secret of 256 bits. spec: Limits */
const secret = text.refine((value) => Buffer.from(value, 'base64').length === 32, '256 bits in Base64')

/** spec: Resources › Webhook subscription */
export const NewSubscription = z.object({ id: whole, url: text, secret, description: textOrNull.optional() })
export const ListedSubscription = z.object({ id: whole, url: text, isActive: flag, createdAt: time, updatedAt: time })

/** spec: Events › Delivery body */
export const Event = z.object({
  eventId: z.guid('a GUID'),
  eventType: z.literal(EVENT_TYPE, EVENT_TYPE),
  taskId: whole,
  documentId: z.union([z.int(), z.null()], 'a whole number or null'),
  status: TaskStatus,
  statusReason: textOrNull,
  occurredAtUtc: time,
})
