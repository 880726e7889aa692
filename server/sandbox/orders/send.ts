/** Sends sample orders to this service through the client library, with a key that only this process knows. */
import { createClient } from '../../../lib/client/client.ts'
import { RefusedError } from '../../../lib/client/errors.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import { dayAt } from '../../../lib/time-zone.ts'
import type { Keyring } from '../../keys/keyring.ts'
import type { Orders, SampleOrder, SentOrder } from '../../operations/sandbox/orders/orders.ts'
import type { Store } from '../../store/store.ts'
import { sampleBody } from './sample-bodies.ts'

export interface OrdersParts {
  store: Pick<Store, 'forOrganization'>
  keyring: Pick<Keyring, 'issueTemporary'>
  profile: HostProfile
  /** Tells the orders of this process from those of an earlier one. */
  prefix: string
}

export type SampleOrders = ReturnType<typeof createOrders>

/** Returns how an organization sends orders to the service at an address, and what begins their ids again. */
export function createOrders({ store, keyring, profile, prefix }: OrdersParts) {
  let count = 0
  const keys = new Map<number, string>()
  const keyOf = (organizationId: number) => {
    const key = keys.get(organizationId) ?? keyring.issueTemporary(organizationId)
    keys.set(organizationId, key)
    return key
  }

  async function bodyOf(organizationId: number, order: SampleOrder, at: Date) {
    const handle = store.forOrganization(organizationId)
    const [templates, timeZone] = await Promise.all([handle.templates.list(), handle.timeZone()])
    const externalDocId = `ROOM-${prefix}-${++count}`
    return sampleBody(order, { profile, template: templates[0] ?? null, date: dayAt(timeZone, at), externalDocId })
  }

  const ordersOf = (organizationId: number, baseUrl: string): Orders => ({
    bodyOf: (order, at) => bodyOf(organizationId, order, at),
    async send(order, at): Promise<SentOrder> {
      const body = await bodyOf(organizationId, order, at)
      const { externalDocId } = body.document
      const client = createClient({ baseUrl, apiKey: keyOf(organizationId), profile, proxy: false, userAgent: SENDER })
      try {
        const { taskId } = await client.createTask({ body })
        return { externalDocId, taskId, status: 201, errors: [] }
      } catch (failure) {
        if (failure instanceof RefusedError)
          return { externalDocId, taskId: null, status: failure.status, errors: [...failure.errors] }
        const [, status] = /^HTTP_(\d{3})$/.exec((failure as { code?: string }).code ?? '') ?? []
        if (status !== undefined) return { externalDocId, taskId: null, status: Number(status), errors: [BUSY] }
        return { externalDocId, taskId: null, status: null, errors: [NO_ANSWER] }
      }
    },
  })
  return {
    ordersOf,
    countOrdersAgain() {
      count = 0
    },
  }
}

const SENDER = 'Countersign control room'
const BUSY = 'The service could not take the order now; send it again later.'
const NO_ANSWER = 'No answer came. The task may have been made: look for its externalDocId before you send it again.'
