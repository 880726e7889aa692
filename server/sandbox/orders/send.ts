/** Sends sample orders to this service through the client library, with a key that only this process knows. */
import { createClient } from '../../../lib/client/client.ts'
import { RefusedError } from '../../../lib/client/errors.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import { dayAt } from '../../../lib/time-zone.ts'
import type { Keyring } from '../../keys/keyring.ts'
import type { Orders, OrderToSend, RequestAgain, SentOrder } from '../../operations/sandbox/orders/orders.ts'
import type { Store } from '../../store/store.ts'
import { REPLAY_HEADER } from '../record-request.ts'
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

  async function bodyOf(organizationId: number, order: OrderToSend, at: Date) {
    const handle = store.forOrganization(organizationId)
    const [templates, timeZone] = await Promise.all([handle.templates.list(), handle.timeZone()])
    const externalDocId = `ROOM-${prefix}-${++count}`
    return sampleBody(order, { profile, template: templates[0] ?? null, date: dayAt(timeZone, at), externalDocId })
  }

  const clientOf = (organizationId: number, baseUrl: string) =>
    createClient({
      baseUrl,
      apiKey: keyOf(organizationId),
      profile,
      proxy: false,
      userAgent: SENDER,
      timeoutMs: ANSWER_TIMEOUT_MS,
    })

  async function sendAgain(organizationId: number, baseUrl: string, request: RequestAgain) {
    const { method, url, headers, body, replayOf } = request
    const [key, mark] = [profile.apiKeyHeader, { [REPLAY_HEADER]: String(replayOf) }]
    try {
      const answer = await fetch(baseUrl + url, {
        method,
        redirect: 'manual',
        headers: { ...headers, ...mark, [key]: keyOf(organizationId) },
        body: body.length > 0 ? new Uint8Array(body) : null,
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      })
      await answer.arrayBuffer()
      return { status: answer.status }
    } catch {
      return { status: null }
    }
  }

  const ordersOf = (organizationId: number, baseUrl: string): Orders => ({
    bodyOf: (order, at) => bodyOf(organizationId, order, at),
    async find(externalDocId) {
      const tasks = await clientOf(organizationId, baseUrl).listTasks({ query: { externalDocId } })
      return tasks.map(({ taskId }) => taskId)
    },
    sendAgain: (request) => sendAgain(organizationId, baseUrl, request),
    async send(order, at): Promise<SentOrder> {
      const body = await bodyOf(organizationId, order, at)
      const { externalDocId } = body.document
      try {
        const { taskId } = await clientOf(organizationId, baseUrl).createTask({ body })
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

/** A busy machine that shows a demonstration is slow, and its service is not away. */
const ANSWER_TIMEOUT_MS = 120_000
const SENDER = 'Countersign control room'
const BUSY = 'The service could not take the order now; send it again later.'
const NO_ANSWER = 'No answer came. The task may have been made: look for its externalDocId before you send it again.'
