/** Deliveries: what was sent to whom, and sending it again. Answers show ids and outcomes, never a body or a URL. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { REDELIVERIES } from '../../choices.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { DeliveryFilter } from '../../store/delivery/delivery-filter.ts'
import { type Attempt, asOf, Delivery } from '../delivery.ts'
import { idParams } from './id-params.ts'
import { DeliveryFile, DeliveryQuery, RedeliverBody, Redelivered } from './messages/deliveries.ts'
import { type OperatorContext, operatorRow, STAFF, within } from './operator-context.ts'

const group = 'Deliveries'

export const listDeliveries = operatorRow({
  method: 'get',
  path: '/admin/v1/deliveries',
  group,
  summary: 'List deliveries, newest first',
  who: STAFF,
  query: DeliveryQuery,
  responses: { 200: z.array(Delivery), 400: ErrorBody },
  async run(context, { query: { state, deliveryId, organizationId, since, until, limit, before, ...whom } }) {
    // Alone, it would look through all newer deliveries first.
    if (until && !since) throw new Refusal('invalid', 'until: only together with since, which says where to begin')
    const filter = {
      ...present({ id: deliveryId, ...whom }),
      organizationId: within(context, organizationId),
      states: state ?? undefined,
      since: timeOf(since),
      until: timeOf(until),
    }
    const found = await context.store.deliveries.list(filter, limit, before ?? undefined)
    return found.map((delivery) => asOf(delivery, context.at))
  },
})

export const readDelivery = operatorRow({
  method: 'get',
  path: '/admin/v1/deliveries/:id',
  group,
  summary: 'Read a delivery with its attempts, in order',
  who: STAFF,
  params: idParams('the delivery'),
  responses: { 200: DeliveryFile, 404: ErrorBody },
  async run(context, { params: { id } }) {
    const [found] = await context.store.deliveries.list({ organizationId: within(context), id }, 1)
    if (!found) throw new Refusal('notFound', `There is no delivery ${id}.`)
    return { ...asOf(found, context.at), log: await context.store.deliveries.attempts(id) }
  },
})

export const redeliver = operatorRow({
  method: 'post',
  path: '/admin/v1/deliveries/redeliver',
  group,
  summary: 'Send again, at once, with the same body and event id',
  who: STAFF,
  body: RedeliverBody,
  atOnce: { ...REDELIVERIES, of: 'deliveries being sent again' },
  responses: { 200: Redelivered, 409: ErrorBody },
  async run(
    context,
    { body: { deliveryId, organizationId, failedSince, since, until, states, after, dryRun, ...rest } },
  ) {
    const whom = present({ id: deliveryId, ...rest })
    const filter = {
      ...whom,
      organizationId: within(context, organizationId),
      since: timeOf(since ?? failedSince),
      until: timeOf(until),
      states: states ?? defaultStates({ isFailed: Boolean(failedSince), isExact: 'id' in whom || 'eventId' in whom }),
    }
    const { deliveries } = context.store
    const how = { by: context.by, after: after ?? undefined }
    if (dryRun) return deliveries.countRedeliverable(filter, context.at, how)
    if (!deliveryId) return deliveries.redeliver(filter, context.at, how)
    const [before] = await deliveries.list({ ...filter, states: undefined }, 1)
    const redelivered = await deliveries.redeliver(filter, context.at, how)
    if (!before || redelivered.count === 0)
      throw new Refusal('conflict', 'This delivery is being sent at this moment, or its subscription is not active.')
    return { ...redelivered, attempt: await attemptAfter(context, before) }
  },
})

const LOOK_EVERY_MS = 50

/** Waits for the attempt that follows those that had ended; null when it takes too long, as where no service is running. */
async function attemptAfter(
  { store, attemptWithinMs, pause }: OperatorContext,
  { id, attempts }: Pick<Delivery, 'id' | 'attempts'>,
): Promise<Attempt | null> {
  const until = performance.now() + attemptWithinMs
  while (performance.now() < until) {
    const log = await store.deliveries.attempts(id)
    const made = log.find(({ attemptNumber }) => attemptNumber > attempts)
    if (made) return made
    await pause(LOOK_EVERY_MS)
  }
  return null
}

/** Deliveries that ended without success; only failed ones on request, and any state when one delivery or event is named. */
const defaultStates = ({ isFailed, isExact }: { isFailed: boolean; isExact: boolean }): DeliveryFilter['states'] => {
  if (isFailed) return ['failed']
  return isExact ? undefined : ['failed', 'cancelled']
}

const timeOf = (given: string | null | undefined): Date | undefined => (given ? new Date(given) : undefined)

/** Returns the object without what was omitted. */
const present = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
