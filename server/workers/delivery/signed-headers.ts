/** Makes the body and headers of one attempt of a delivery. Pure: the time comes in as an argument. */
import type { OutgoingHttpHeaders } from 'node:http'
import { EVENT_TYPE } from '../../../lib/contract/callback.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import { webhookHeaders } from '../../../lib/profile/names.ts'
import { signWebhook } from '../../../lib/webhook/signature.ts'
import { standardHeaders } from '../../../lib/webhook/standard-headers.ts'
import type { DueDelivery } from '../../store/delivery/due.ts'

export type Sending = Pick<DueDelivery, 'organizationId' | 'url' | 'body' | 'secrets' | 'eventId' | 'attemptNumber'>

/**
 * @param at the time of signing, in milliseconds since 1970
 * @param profile how the host speaks to its receivers
 */
export function signedHeaders(
  { body, secrets, eventId, attemptNumber }: Sending,
  at: number,
  profile: HostProfile,
): OutgoingHttpHeaders {
  const timestamp = profile.webhook.timestampUnit === 'ms' ? Math.floor(at) : Math.floor(at / 1000)
  const names = webhookHeaders(profile)
  const texts = secrets.map((secret) => secret.toString('base64'))
  return {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'User-Agent': 'Countersign',
    [names.signature]: signWebhook({ secret: texts[0] ?? '', body, timestamp, profile }),
    [names.timestamp]: String(timestamp),
    [names.eventId]: eventId,
    [names.eventType]: EVENT_TYPE,
    [`${profile.headerPrefix}Attempt`]: String(attemptNumber),
    ...(profile.webhook.secretEncoding === 'base64' && standardHeaders({ secret: texts, eventId, at, body })),
  }
}
