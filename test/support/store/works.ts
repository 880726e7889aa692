/** Changes of many rows at once, each as the interface or a worker makes it, on a large store of `manyTasks`. In this order. */
import type { Store } from '../../../server/store/store.ts'
import { SENDER } from './many-tasks.ts'

export interface Work {
  name: string
  run(): Promise<unknown>
}

/** Deliveries that wait for one subscription. */
export const QUEUED = 10_000

export function worksOf(store: Store): Work[] {
  const at = new Date()
  const days = (ago: number) => new Date(at.getTime() - ago * 24 * 60 * 60 * 1000)
  const { subscriptions } = store.forOrganization(SENDER)
  /** Each organization has one, of the same id. */
  const update = (change: Parameters<typeof subscriptions.update>[1]) => subscriptions.update(SENDER, change, at)
  const again = (state: 'delivered' | 'cancelled') =>
    store.deliveries.redeliver({ subscriptionId: SENDER, states: [state] }, at, { limit: QUEUED })
  return [
    { name: `redeliver ${QUEUED}`, run: () => again('delivered') },
    {
      name: 'count what may be redelivered',
      run: () => store.deliveries.countRedeliverable({ organizationId: SENDER, since: days(10_000) }, at),
    },
    { name: `a new URL for ${QUEUED}`, run: () => update({ url: 'https://other.example.org/' }) },
    { name: `deactivate with ${QUEUED} waiting`, run: () => update({ active: false }) },
    { name: 'activate', run: () => update({ active: true }) },
    { name: `redeliver ${QUEUED} cancelled`, run: () => again('cancelled') },
    { name: `give up ${QUEUED}`, run: () => store.outbox.giveUpOlderThan(new Date(at.getTime() + 1), at) },
    { name: `redeliver ${QUEUED} more`, run: () => again('delivered') },
    { name: `delete with ${QUEUED} waiting`, run: () => subscriptions.remove(SENDER, at) },
    { name: 'end what is stranded', run: () => store.outbox.cancelStranded(at) },
    {
      name: 'remove contents of 400 tasks',
      run: async () => {
        for (let count = 0; count < 100; count++) await store.retention.removeContents(days(0), at)
      },
    },
    { name: 'look at patients', run: () => store.retention.removePatients(days(0), at) },
    { name: 'trim the log of attempts', run: () => store.deliveries.trimAttempts(days(90), 1_000) },
  ]
}
