/** A delivery as the service would send it: body bytes and the four headers. */

import { WEBHOOK_HEADERS } from '../../../lib/contract/callback.ts'
import type { StatusEvent } from '../../../lib/contract/event.ts'
import { type SecretEncoding, signWebhook } from '../../../lib/webhook/signature.ts'
import { anEvent } from './bodies.ts'

export const SECRET = Buffer.alloc(32, 7).toString('base64')
export const OTHER_SECRET = Buffer.alloc(32, 9).toString('base64')

export interface Delivery {
  payload: Buffer
  headers: Record<string, string>
}

export function aDelivery(
  event: Partial<StatusEvent> = {},
  { secret = SECRET, at, encoding = 'base64' }: { secret?: string; at: number; encoding?: SecretEncoding },
): Delivery {
  const whole = anEvent(event)
  const payload = Buffer.from(JSON.stringify(whole))
  const timestamp = Math.floor(at / 1000)
  return {
    payload,
    headers: {
      'Content-Type': 'application/json',
      [WEBHOOK_HEADERS.signature]: signWebhook({ secret, body: payload, timestamp, secretEncoding: encoding }),
      [WEBHOOK_HEADERS.timestamp]: String(timestamp),
      [WEBHOOK_HEADERS.eventId]: whole.eventId,
      [WEBHOOK_HEADERS.eventType]: whole.eventType,
    },
  }
}
