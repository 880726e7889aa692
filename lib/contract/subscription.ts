/** Where a sender wants to be called back. spec: Resources › Webhook subscription, Endpoints › Webhook subscriptions */
import * as z from 'zod'
import { docs } from './docs.ts'
import { absent, id, optional, rule, timestamp, upTo } from './primitives.ts'

const subscriptionId = id().register(docs, { title: 'Id', description: 'The id of the subscription.', examples: [1] })
const url = z.string(rule('an absolute https URL')).min(1, 'an absolute https URL').max(2048, 'at most 2048 characters')
const receiverUrl = url.register(docs, {
  title: 'URL',
  description: 'Absolute HTTPS URL of the receiver.',
  examples: ['https://ehr.example.org/webhooks/signature'],
  sensitive: true,
})
const description = optional(upTo(255)).register(docs, {
  title: 'Description',
  description: 'Up to 255 characters.',
  examples: ['Orders'],
})

export const CreateSubscription = z.object({ url: receiverUrl, description }, absent).register(docs, {
  id: 'CreateSubscription',
  title: 'New subscription',
  description: 'Where status changes are to be sent.',
  examples: [{ url: 'https://ehr.example.org/webhooks/signature', description: 'Orders' }],
})
export type CreateSubscription = z.infer<typeof CreateSubscription>

export const SubscriptionCreated = z
  .object({
    id: subscriptionId,
    url: receiverUrl,
    secret: z.string().register(docs, {
      title: 'Secret',
      description: '256 random bits as Base64. Returned only here.',
      examples: ['3q2+7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
      sensitive: true,
    }),
    description,
  })
  .register(docs, {
    id: 'SubscriptionCreated',
    title: 'Created subscription',
    description: 'The subscription with its secret, which is never shown again.',
    examples: [
      {
        id: 1,
        url: 'https://ehr.example.org/webhooks/signature',
        secret: '3q2+7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
        description: 'Orders',
      },
    ],
  })
export type SubscriptionCreated = z.infer<typeof SubscriptionCreated>

export const Subscription = z
  .object({
    id: subscriptionId,
    url: receiverUrl,
    description,
    isActive: z.boolean().register(docs, {
      title: 'Active',
      description: 'Whether events are sent. True when created.',
      examples: [true],
    }),
    createdAt: timestamp()
      .nullish()
      .register(docs, {
        title: 'Created',
        description: 'When the subscription was created, UTC.',
        examples: ['2026-01-15T09:30:00.000Z'],
      }),
    updatedAt: timestamp()
      .nullish()
      .register(docs, {
        title: 'Updated',
        description: 'When the subscription changed last, UTC.',
        examples: ['2026-01-15T09:30:00.000Z'],
      }),
  })
  .register(docs, {
    id: 'Subscription',
    title: 'Subscription',
    description: 'A subscription as listed: without its secret.',
    examples: [
      {
        id: 1,
        url: 'https://ehr.example.org/webhooks/signature',
        description: 'Orders',
        isActive: true,
        createdAt: '2026-01-15T09:30:00.000Z',
        updatedAt: '2026-01-15T09:30:00.000Z',
      },
    ],
  })
export type Subscription = z.infer<typeof Subscription>

export const UpdateSubscription = z
  .object(
    {
      active: optional(z.boolean(rule('true or false'))).register(docs, {
        title: 'Active',
        description:
          'False deactivates: what waits to be sent is cancelled, and the operator can send it again once the subscription is active. True reactivates; what was cancelled is not sent by that.',
        examples: [false],
      }),
      url: optional(url).register(docs, {
        title: 'URL',
        description: 'A new absolute HTTPS URL. What waits to be sent goes there at once.',
        examples: ['https://ehr.example.org/webhooks/signature-2'],
        sensitive: true,
      }),
    },
    absent,
  )
  .refine(({ active, url }) => (active ?? url ?? null) !== null, 'at least one of active and url')
  .register(docs, {
    id: 'UpdateSubscription',
    title: 'Subscription update',
    description: 'At least one of active and url. A value that the subscription has already changes nothing.',
    examples: [{ active: false }],
  })
export type UpdateSubscription = z.infer<typeof UpdateSubscription>
