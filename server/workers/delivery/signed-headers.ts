/** What one attempt of a delivery sends, and the headers that go with it. Pure: the time comes in as an argument. */
import type { OutgoingHttpHeaders } from 'node:http'
import { EVENT_TYPE, WEBHOOK_HEADERS } from '../../../lib/contract/event.ts'
import { signWebhook } from '../../../lib/webhook/signature.ts'
import type { DueDelivery } from '../../store/delivery/due.ts'

export type Sending = Pick<DueDelivery, 'organizationId' | 'url' | 'body' | 'secret' | 'eventId' | 'attemptNumber'>

/** @param at the time of signing, in milliseconds since 1970 */
export function signedHeaders({ body, secret, eventId, attemptNumber }: Sending, at: number): OutgoingHttpHeaders {
  const timestamp = Math.floor(at / 1000)
  return {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'User-Agent': 'Countersign',
    [WEBHOOK_HEADERS.signature]: signWebhook({ secret: secret.toString('base64'), body, timestamp }),
    [WEBHOOK_HEADERS.timestamp]: String(timestamp),
    [WEBHOOK_HEADERS.eventId]: eventId,
    [WEBHOOK_HEADERS.eventType]: EVENT_TYPE,
    'X-Service-Attempt': String(attemptNumber),
  }
}
