/** The console's deliveries: what was told to whom, and telling it again. Shows ids and outcomes, never a body or a URL. */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { Refusal } from '../domain/refusal.ts'
import type { PageApi } from '../http/page-api.ts'
import { parse } from '../http/parse.ts'
import type { DeliveryFilter } from '../store/deliveries.ts'
import type { Visitor } from '../store/people.ts'
import type { Store } from '../store/store.ts'
import { DeliveryQuery, RedeliverBody } from './messages.ts'
import { scopeOf } from './task-routes.ts'

export function deliveryRoutes({ serve }: PageApi, store: Pick<Store, 'deliveries'>, clock: Clock): void {
  const filterOf = (visitor: Visitor): DeliveryFilter => ({ organizationId: scopeOf(visitor) ?? undefined })

  serve('get', '/deliveries', ({ visitor, query }) => {
    const { state, limit } = parse(DeliveryQuery, query)
    const filter = { ...filterOf(visitor), states: state ? [state] : undefined }
    return store.deliveries.list(filter, limit)
  })

  serve('get', '/deliveries/:id/attempts', async ({ visitor, id }) => {
    const [mine] = await store.deliveries.list({ ...filterOf(visitor), id }, 1)
    if (!mine) throw new Refusal('notFound', `There is no delivery ${id} for you.`)
    return store.deliveries.attempts(id)
  })

  serve('post', '/deliveries/redeliver', async ({ visitor, by, body }) => {
    const wish = parse(RedeliverBody, body)
    const which: DeliveryFilter =
      'deliveryId' in wish ? { id: wish.deliveryId } : { states: ['failed'], since: new Date(wish.failedSince) }
    const count = await store.deliveries.redeliver({ ...which, ...filterOf(visitor) }, timeOf(clock), { by })
    if ('deliveryId' in wish && count === 0)
      throw new Refusal('conflict', 'This delivery is being sent at this moment, or its subscription is not active.')
    return { count }
  })
}
