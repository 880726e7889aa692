/** Sends the orders of a seed, in their order, as their senders would. */
import type { Store } from '../../../store/store.ts'
import type { Orders } from '../orders/orders.ts'
import type { Seed } from './seed.ts'

export interface SeedOrdersParts {
  store: Pick<Store, 'organizations'>
  ordersOf(organizationId: number): Orders
  at: Date
}

export async function sendSeedOrders({ orders }: Seed, { store, ordersOf, at }: SeedOrdersParts): Promise<void> {
  for (const { sender, times, ...order } of orders) {
    const organization = await store.organizations.findByName(sender)
    for (let left = organization ? (times ?? 1) : 0; left > 0; left--) await ordersOf(organization!.id).send(order, at)
  }
}
