/** The headers of Standard Webhooks (standardwebhooks.com), version 1, so that any library for them verifies our webhooks. Pure. */
import { createHmac } from 'node:crypto'
import { signingKey } from './signature.ts'

/** A webhook that is signed. */
export interface StandardSigning {
  /**
   * The secret of the subscription, as Base64, or several while one replaces another; receivers may write it with `whsec_` before it.
   */
  secret: string | readonly string[]
  /** The id of the event. It stays the same when the delivery is repeated. */
  eventId: string
  /** The time of signing; milliseconds since 1970. */
  at: number
  /** The body, exactly as it is sent. */
  body: Uint8Array | string
}

/**
 * Returns `webhook-id`, `webhook-timestamp` (Unix seconds) and `webhook-signature`: for each secret `v1,` and HMAC-SHA256 as Base64,
 * separated by blanks.
 */
export function standardHeaders({ secret, eventId, at, body }: StandardSigning): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = [secret].flat().map((one) => {
    const signed = createHmac('sha256', signingKey(one)).update(`${eventId}.${timestamp}.`).update(body)
    return `v1,${signed.digest('base64')}`
  })
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
