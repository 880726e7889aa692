/** Receivers of callbacks: adding one, how each is doing, and turning one off or on. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { Refusal } from '../../domain/refusal.ts'
import { property } from '../property.ts'
import {
  run as createSubscription,
  examine as examineSubscription,
} from '../sender/subscriptions/create-subscription.ts'
import { idParams } from './id-params.ts'
import { timeToCome } from './keys/keys.ts'
import {
  MadeReceiver,
  MadeSecret,
  Receiver,
  ReceiverBody,
  ReceiverChangeBody,
  ReceiverQuery,
  SecretBody,
  TestAnswer,
} from './messages/receivers.ts'
import { type OperatorContext, operatorRow, STAFF, within } from './operator-context.ts'
import { foundOrganization } from './organizations.ts'
import { runningService } from './running.ts'

const group = 'Receivers'

export const listReceivers = operatorRow({
  method: 'get',
  path: '/admin/v1/receivers',
  group,
  summary: 'List receivers of callbacks, and how each is doing',
  who: STAFF,
  query: ReceiverQuery,
  responses: { 200: z.array(Receiver) },
  run: (context, { query: { organizationId } }) =>
    context.store.receivers.list(context.at, { organizationId: within(context, organizationId) }),
})

export const createReceiver = operatorRow({
  method: 'post',
  path: '/admin/v1/receivers',
  group,
  summary: 'Add a receiver of an organization, and show its secret this one time',
  who: STAFF,
  scope: 'keys',
  body: ReceiverBody,
  responses: { 201: MadeReceiver, 404: ErrorBody, 409: ErrorBody },
  async run(context, { body: { organizationId, ...body } }) {
    await foundOrganization(context, organizationId)
    const sender = runningService(context).asSender(organizationId)
    const { id, secret } = await createSubscription(sender, { body, params: undefined, query: undefined })
    return { subscriptionId: id, secret }
  },
  async examine(context, body) {
    // Where a receiver may be does not depend on whose it is.
    return examineSubscription(runningService(context).asSender(0), { url: property(body, 'url') })
  },
})

export const readReceiver = operatorRow({
  method: 'get',
  path: '/admin/v1/receivers/:id',
  group,
  summary: 'Read how one receiver is doing',
  who: STAFF,
  params: idParams('the subscription'),
  responses: { 200: Receiver, 404: ErrorBody },
  run: (context, { params: { id } }) => found(context, id),
})

export const updateReceiver = operatorRow({
  method: 'patch',
  path: '/admin/v1/receivers/:id',
  group,
  summary: 'Turn a receiver off, which cancels what waits for it, or on again',
  who: STAFF,
  params: idParams('the subscription'),
  body: ReceiverChangeBody,
  responses: { 200: Receiver, 404: ErrorBody },
  async run(context, { params: { id }, body: { isActive } }) {
    const { store, by, at } = context
    await store.receivers.turn(await found(context, id), isActive, by, at)
    return found(context, id)
  },
})

export const resumeReceiver = operatorRow({
  method: 'post',
  path: '/admin/v1/receivers/:id/resume',
  group,
  summary: 'End the pause of a receiver now; a receiver that continues to fail is paused again',
  who: STAFF,
  params: idParams('the subscription'),
  responses: { 200: Receiver, 404: ErrorBody, 409: ErrorBody },
  async run(context, { params: { id } }) {
    const { store, by, at } = context
    if (!(await store.receivers.resume(await found(context, id), by, at)))
      throw new Refusal('conflict', 'This receiver is not paused.')
    return found(context, id)
  },
})

export const testReceiver = operatorRow({
  method: 'post',
  path: '/admin/v1/receivers/:id/test',
  group,
  summary: 'Send a receiver a test event now, about a task that there is not, and return its answer',
  who: STAFF,
  params: idParams('the subscription'),
  responses: { 200: TestAnswer, 404: ErrorBody, 409: ErrorBody },
  async run(context, { params: { id } }) {
    const { store, by, at } = context
    const { organizationId, isActive } = await found(context, id)
    if (!isActive) throw new Refusal('conflict', 'This receiver is off. Turn it on, then test it.')
    const answer = await runningService(context).testReceiver(id, at)
    if (!answer) throw new Refusal('conflict', 'The receiver could not be called now. Try again in a moment.')
    await store.audit.append({ action: 'subscription.test', by, at, organizationId, subject: id })
    return answer
  },
})

export const addReceiverSecret = operatorRow({
  method: 'post',
  path: '/admin/v1/receivers/:id/secret',
  group,
  summary: 'Make a new secret for a receiver, and show it this one time; both secrets are valid until a chosen time',
  who: STAFF,
  scope: 'keys',
  params: idParams('the subscription'),
  body: SecretBody,
  responses: { 201: MadeSecret, 404: ErrorBody, 409: ErrorBody },
  async run(context, { params: { id }, body }) {
    const { store, at, newSecret } = context
    const until = timeToCome('until', body.until, at)
    const secret = newSecret()
    if (!(await store.receivers.addSecret(await replacing(context, id), secret, until)))
      throw new Refusal(
        'conflict',
        'Two secrets of this receiver are valid already. Use the new one now, then make another.',
      )
    return { secret: Buffer.from(secret).toString('base64'), until: until.toISOString() }
  },
})

export const useReceiverSecret = operatorRow({
  method: 'post',
  path: '/admin/v1/receivers/:id/secret/use',
  group,
  summary: 'Use the new secret of a receiver alone from now on; the old one is no longer valid',
  who: STAFF,
  params: idParams('the subscription'),
  responses: { 200: Receiver, 404: ErrorBody, 409: ErrorBody },
  async run(context, { params: { id } }) {
    if (!(await context.store.receivers.useNewSecret(await replacing(context, id))))
      throw new Refusal('conflict', 'This receiver has one secret.')
    return found(context, id)
  },
})

async function replacing(context: OperatorContext, id: number) {
  const { organizationId } = await found(context, id)
  return { organizationId, id, by: context.by, at: context.at }
}

async function found(context: OperatorContext, id: number): Promise<Receiver> {
  const scope = { organizationId: within(context), subscriptionId: id }
  const [receiver] = await context.store.receivers.list(context.at, scope)
  if (!receiver) throw new Refusal('notFound', `There is no receiver ${id}.`)
  return receiver
}
