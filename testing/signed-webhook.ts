/** Makes callbacks as a host sends them, so that a handler can be tested without a host. */
import { randomUUID } from 'node:crypto'
import { EVENT_TYPE } from '../lib/contract/callback.ts'
import type { StatusEvent } from '../lib/contract/event.ts'
import type { ProfileInput } from '../lib/profile/host-profile.ts'
import { webhookHeaders } from '../lib/profile/names.ts'
import { profileOf } from '../lib/profile/parse-profile.ts'
import { signWebhook } from '../lib/webhook/signature.ts'
import { standardHeaders } from '../lib/webhook/standard-headers.ts'

/** A secret for tests, which is no secret: the 32 bytes from 0 to 31 as Base64. */
export const TEST_SECRET = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

/** How a callback is signed. */
export interface WebhookOptions {
  /** The secret that the handler under test knows. Optional; `TEST_SECRET` by default. */
  secret?: string
  /** Milliseconds since 1970 at which the callback is signed. Optional; now by default. */
  now?: number
  /** How the host speaks. Optional; our own service by default. */
  profile?: ProfileInput
}

/** A callback as it is posted. */
export interface SignedWebhook {
  /** Content type, signature, timestamp, event id and event type. */
  headers: Record<string, string>
  /** JSON, which must be posted as it is: the signature is over its bytes. */
  body: string
}

/**
 * Returns the headers and the body of a callback that `verifyWebhook` believes.
 * @param event what is omitted of it is made up: a new `eventId`, no document and no reason, and the time of signing
 */
export function signedWebhook(
  event: Pick<StatusEvent, 'taskId' | 'status'> & Partial<StatusEvent>,
  { secret = TEST_SECRET, now = Date.now(), profile }: WebhookOptions = {},
): SignedWebhook {
  const occurredAtUtc = new Date(now).toISOString()
  const whole: StatusEvent = {
    eventId: randomUUID(),
    eventType: EVENT_TYPE,
    documentId: null,
    statusReason: null,
    occurredAtUtc,
    ...event,
  }
  const spoken = profileOf(profile)
  const body = JSON.stringify(whole)
  const timestamp = spoken.webhook.timestampUnit === 'ms' ? now : Math.floor(now / 1000)
  const names = webhookHeaders(spoken)
  return {
    headers: {
      'content-type': 'application/json',
      [names.signature]: signWebhook({ secret, body, timestamp, ...(profile && { profile }) }),
      [names.timestamp]: String(timestamp),
      [names.eventId]: whole.eventId,
      [names.eventType]: whole.eventType,
      ...(spoken.webhook.secretEncoding === 'base64' &&
        standardHeaders({ secret, eventId: whole.eventId, at: now, body })),
    },
    body,
  }
}
