/** Receivers of callbacks as the operator's interface shows and changes them. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { id, rule } from '../../../../lib/contract/primitives.ts'
import { CreateSubscription } from '../../../../lib/contract/subscription.ts'
import { only } from './lists.ts'

export const Receiver = z
  .object({
    subscriptionId: z.int(),
    organizationId: z.int(),
    organization: z.string(),
    description: z.string().nullable(),
    /** Scheme and host; the rest of the URL may hold a secret. */
    origin: z.string(),
    isActive: z.boolean(),
    updatedAt: z.string(),
    newSecretFrom: z
      .string()
      .nullable()
      .register(docs, {
        title: 'New secret from',
        description: 'From when on its newer secret alone is valid; null while it has one secret.',
        examples: ['2026-03-03T09:00:00.000Z'],
      }),
    pause: z.object({ isDown: z.boolean(), since: z.string(), until: z.string() }).nullable(),
    waiting: z.int(),
    oldestWaiting: z.string().nullable(),
    lastAttempt: z.object({ startedAt: z.string(), status: z.int().nullable(), outcome: z.string() }).nullable(),
    hours: z.array(z.object({ accepted: z.int(), failed: z.int() })).register(docs, {
      title: 'Hours',
      description: 'Attempts at the newest callbacks in each of the last 24 hours, the oldest hour first.',
      examples: [[{ accepted: 12, failed: 1 }]],
    }),
  })
  .register(docs, {
    id: 'Receiver',
    title: 'Receiver',
    description: 'Where callbacks of a subscription go, how it is doing, and how much waits for it.',
    examples: [
      {
        subscriptionId: 12,
        organizationId: 4,
        organization: 'Willow Creek Home Health',
        description: 'EHR',
        origin: 'https://ehr.example.org',
        isActive: true,
        updatedAt: '2026-03-02T09:00:00.000Z',
        newSecretFrom: null,
        pause: null,
        waiting: 0,
        oldestWaiting: null,
        lastAttempt: { startedAt: '2026-03-02T09:00:00.000Z', status: 200, outcome: 'delivered' },
        hours: [{ accepted: 12, failed: 1 }],
      },
    ],
  })
export type Receiver = z.infer<typeof Receiver>

export const ReceiverQuery = z.strictObject({
  organizationId: only('Organization', 'Only receivers of this organization.'),
})

export const ReceiverChangeBody = z.strictObject({
  isActive: z.boolean(rule('true or false')).register(docs, {
    title: 'Active',
    description: 'Whether it gets callbacks. Turning it off cancels what waits for it.',
    examples: [false],
  }),
})
export type ReceiverChangeBody = z.input<typeof ReceiverChangeBody>

export const ReceiverBody = CreateSubscription.extend({
  organizationId: id().register(docs, {
    title: 'Organization',
    description: 'The id of the organization whose callbacks it gets.',
    examples: [4],
  }),
})
export type ReceiverBody = z.input<typeof ReceiverBody>

/** The one time that the secret is shown. */
export const MadeReceiver = z.object({ subscriptionId: z.int(), secret: z.string() })
export type MadeReceiver = z.infer<typeof MadeReceiver>

/** How a receiver answered a test event. */
export const TestAnswer = z.object({
  outcome: z.string(),
  status: z.int().nullable(),
  durationMs: z.int(),
  answer: z.string().nullable(),
})

const SECRET_TIME = 'a time to come, such as 2027-01-01'

export const SecretBody = z.strictObject({
  until: z.union([z.iso.datetime({ offset: true }), z.iso.date()], rule(SECRET_TIME)).register(docs, {
    title: 'Until',
    description: 'Until when both secrets are valid. From then on the new one alone is.',
    examples: ['2027-01-01T09:00:00Z'],
    type: 'string',
  }),
})
export type SecretBody = z.input<typeof SecretBody>

/** The one time that a secret is shown. */
export const MadeSecret = z.object({ secret: z.string(), until: z.string() })
export type MadeSecret = z.infer<typeof MadeSecret>
