/** A delivery and its attempts, as answers show them: ids and outcomes, never a body or a URL. */
import * as z from 'zod'
import { docs } from '../../lib/contract/docs.ts'
import { TaskStatus } from '../../lib/contract/task/task.ts'

export const deliveryStates = ['waiting', 'delivered', 'failed', 'cancelled'] as const

const outcomes = ['delivered', 'http', 'timeout', 'connection', 'dns', 'tls', 'blocked_target'] as const

export const Delivery = z
  .object({
    id: z.int(),
    eventId: z.string(),
    taskId: z.int(),
    status: TaskStatus,
    organizationId: z.int(),
    subscriptionId: z.int(),
    subscriptionState: z.enum(['active', 'inactive', 'deleted']).register(docs, {
      title: 'State of the subscription',
      description: 'As it is now. Only what goes to an active subscription can be sent again.',
      examples: ['active'],
    }),
    state: z.enum(deliveryStates).register(docs, {
      title: 'State',
      description:
        'waiting: to be sent, or sent again. delivered: acknowledged. failed: not, after the last attempt or a 410. cancelled: its subscription was deactivated or deleted while it waited.',
      examples: ['delivered'],
    }),
    attempts: z.int(),
    occurredAt: z.string(),
    updatedAt: z.string(),
    nextAttemptAt: z
      .string()
      .nullable()
      .register(docs, {
        title: 'Next attempt',
        description:
          'When the next attempt will be made, with the pause of its receiver; never in the past. Null when none is due.',
        examples: [null],
      }),
    heldBy: z
      .object({ reason: z.enum(['down', 'overloaded']), until: z.string() })
      .nullable()
      .register(docs, {
        title: 'Held by',
        description: 'The pause of the receiver, for which the next attempt waits; null without one.',
        examples: [null],
      }),
    isUnderWay: z.boolean(),
  })
  .register(docs, {
    id: 'Delivery',
    title: 'Delivery',
    description: 'An event on its way to one subscription.',
    examples: [
      {
        id: 1,
        eventId: '6f1c2d1e-3f52-4c2a-9c33-0d6a4c0c7f11',
        taskId: 1001,
        status: 'Completed',
        organizationId: 4,
        subscriptionId: 1,
        subscriptionState: 'active',
        state: 'delivered',
        attempts: 1,
        occurredAt: '2026-01-15T09:31:00.000Z',
        updatedAt: '2026-01-15T09:31:01.000Z',
        nextAttemptAt: null,
        heldBy: null,
        isUnderWay: false,
      },
    ],
  })
export type Delivery = z.infer<typeof Delivery>

/** Returns the delivery as it is at this moment: what was due before is due now, and a pause that is over holds nothing. */
export function asOf<T extends Pick<Delivery, 'nextAttemptAt' | 'heldBy'>>(delivery: T, at: Date): T {
  const now = at.toISOString()
  const { nextAttemptAt, heldBy } = delivery
  return {
    ...delivery,
    nextAttemptAt: nextAttemptAt !== null && nextAttemptAt < now ? now : nextAttemptAt,
    heldBy: heldBy && heldBy.until > now ? heldBy : null,
  }
}

export const Attempt = z
  .object({
    attemptNumber: z.int(),
    trigger: z.enum(['scheduled', 'manual']),
    scheduledAt: z.string().nullable(),
    startedAt: z.string(),
    durationMs: z.number(),
    connectMs: z.number().nullable(),
    firstByteMs: z.number().nullable(),
    status: z.int().nullable(),
    outcome: z.enum(outcomes),
    answerBytes: z.int(),
    answer: z
      .string()
      .nullable()
      .register(docs, {
        title: 'Answer',
        description:
          'The first 500 characters of the receiver’s answer. Every word that may be private is replaced by an ellipsis before it is stored. Null without a text.',
        examples: ['{"error":"invalid signature"}'],
      }),
    nextAttemptAt: z.string().nullable(),
  })
  .register(docs, {
    id: 'Attempt',
    title: 'Attempt',
    description: 'One POST of a delivery, and how it ended.',
    examples: [
      {
        attemptNumber: 1,
        trigger: 'scheduled',
        scheduledAt: '2026-01-15T09:31:00.000Z',
        startedAt: '2026-01-15T09:31:00.100Z',
        durationMs: 87,
        connectMs: 31,
        firstByteMs: 80,
        status: 204,
        outcome: 'delivered',
        answerBytes: 0,
        answer: null,
        nextAttemptAt: null,
      },
    ],
  })
export type Attempt = z.infer<typeof Attempt>
