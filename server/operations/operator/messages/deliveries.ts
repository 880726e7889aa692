/** Deliveries as the operator's interface shows and takes them. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { id, isGiven, optional, rule, text } from '../../../../lib/contract/primitives.ts'
import { Attempt, Delivery, deliveryStates } from '../../delivery.ts'
import { limit, only, Time } from './lists.ts'

export type { Attempt, Delivery }

/** A delivery with its attempts, in order. */
export const DeliveryFile = Delivery.extend({ log: z.array(Attempt) })
export type DeliveryFile = z.infer<typeof DeliveryFile>

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
  until: optional(Time).register(docs, {
    title: 'Until',
    description: 'Only events that occurred before this time; only together with `since`.',
    examples: ['2026-03-03T09:00:00Z'],
    type: 'string',
  }),
  limit,
  before: only('Before', 'Only deliveries older than this one: the next page.'),
})

/** Which deliveries are sent again. */
export const RedeliverBody = z
  .object({
    deliveryId: optional(id()),
    eventId: optional(text(64)),
    taskId: optional(id()),
    subscriptionId: optional(id()),
    organizationId: optional(id()),
    /** All that failed, of events from this moment on. */
    failedSince: optional(Time),
    since: optional(Time),
    /** Only events that occurred before this time. */
    until: optional(Time),
    states: optional(z.array(State)),
    /** Only those with a higher id: what the answer before gave as `next`. */
    after: optional(id()),
    /** Says how many this call would send again, and what comes as `next`; changes nothing. */
    dryRun: optional(z.boolean(rule('true or false'))),
  })
  .refine(
    ({ states: _states, until: _until, after: _after, dryRun: _dryRun, ...whom }) => Object.values(whom).some(isGiven),
    'say which deliveries, for example by eventId or since',
  )
export type RedeliverBody = z.input<typeof RedeliverBody>

export const Redelivered = z.object({
  /** How many are sent again. */
  count: z.int(),
  /** More are left than one call sends again: give this as `after` to continue. Null when all are sent. */
  next: z.int().nullable(),
  /** The attempt of a single delivery; null while it is still being made. Omitted where many are sent. */
  attempt: Attempt.nullable().optional(),
})
export type Redelivered = z.infer<typeof Redelivered>
