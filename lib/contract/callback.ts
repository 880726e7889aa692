/** The event types and headers of every callback. Plain data. */

/** The one type of event. */
export const EVENT_TYPE = 'document.status_changed'

/** The headers of a delivery, as the specification spells them. spec: Events › Delivery request headers */
export const WEBHOOK_HEADERS = {
  /** `sha256=` and the HMAC of timestamp and body. */
  signature: 'X-Service-Signature',
  /** When the delivery was signed, as Unix time. */
  timestamp: 'X-Service-Timestamp',
  /** The `eventId` of the body. */
  eventId: 'X-Service-Event-Id',
  /** The `eventType` of the body. */
  eventType: 'X-Service-Event-Type',
} as const
