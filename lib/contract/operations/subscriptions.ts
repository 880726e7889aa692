/** The rows of webhook subscriptions: create, list, update, delete. spec: Endpoints › Webhook subscriptions */
import * as z from 'zod'
import { docs } from '../docs.ts'
import { ErrorBody } from '../error.ts'
import { pathId } from '../primitives.ts'
import { CreateSubscription, Subscription, SubscriptionCreated, UpdateSubscription } from '../subscription.ts'
import type { Operation } from './operation.ts'

const subscriptionPath = z.object({
  id: pathId().register(docs, {
    title: 'Id',
    description: 'The id of the subscription.',
    examples: [1],
    type: 'integer',
  }),
})

export const subscriptionOperations = {
  createSubscription: {
    method: 'post',
    path: '/api/v1/signature/webhooks',
    group: 'Webhook subscriptions',
    summary: 'Subscribe to status changes',
    body: CreateSubscription,
    responses: { 201: SubscriptionCreated, 400: ErrorBody },
  },
  listSubscriptions: {
    method: 'get',
    path: '/api/v1/signature/webhooks',
    group: 'Webhook subscriptions',
    summary: 'List the subscriptions, without secrets',
    responses: { 200: z.array(Subscription) },
  },
  updateSubscription: {
    method: 'patch',
    path: '/api/v1/signature/webhooks/:id',
    group: 'Webhook subscriptions',
    summary: 'Deactivate, reactivate or redirect a subscription',
    params: subscriptionPath,
    body: UpdateSubscription,
    // The specification leaves the success status unsaid: the service answers 200, the client takes either.
    responses: { 200: Subscription, 204: null, 400: ErrorBody },
  },
  deleteSubscription: {
    method: 'delete',
    path: '/api/v1/signature/webhooks/:id',
    group: 'Webhook subscriptions',
    summary: 'End a subscription',
    params: subscriptionPath,
    responses: { 204: null, 400: ErrorBody },
  },
} as const satisfies Record<string, Operation>
