/**
 * Signs and verifies callbacks, side by side. Bytes in, an event or an error out; remembers nothing, and reads the clock only
 * where no time is given. spec: Events › Signature verification
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { decodeBase64 } from '../base64.ts'
import { StatusEvent, WEBHOOK_HEADERS } from '../contract/event.ts'
import { WebhookVerificationError } from './verification-error.ts'

/** How the text of a secret becomes the HMAC key: `base64` decodes it to its 32 bytes, `utf8` takes the text as it stands. */
export type SecretEncoding = 'base64' | 'utf8'

/** The headers of a request, as `fetch`, node:http or Express give them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const SIGNATURE = /^sha256=[0-9a-f]{64}$/
const TIMESTAMP = /^\d{1,12}$/

/**
 * Returns the HMAC key of a secret. Anybody could sign with an empty key, so a secret without one is refused.
 * @throws WebhookVerificationError with `secret_malformed` or `secret_has_whitespace`
 */
export function signingKey(secret: string, encoding: SecretEncoding = 'base64'): Buffer {
  if (typeof secret !== 'string' || secret === '') throw new WebhookVerificationError('secret_malformed')
  if (/\s/.test(secret)) throw new WebhookVerificationError('secret_has_whitespace')
  if (encoding === 'utf8') return Buffer.from(secret, 'utf8')
  const key = decodeBase64(secret)
  if (!key) throw new WebhookVerificationError('secret_malformed')
  return key
}

export interface Signing {
  secret: string
  /** The body, exactly as it is sent. */
  body: Uint8Array | string
  /** Unix time in whole seconds; the value of X-Service-Timestamp. */
  timestamp: number
  secretEncoding?: SecretEncoding
}

/**
 * Returns the value of X-Service-Signature: `sha256=` and the lowercase hex of HMAC-SHA256 over `<timestamp>.<body>`.
 * @throws RangeError for a timestamp that is not in whole seconds; WebhookVerificationError for a secret that is not usable
 */
export function signWebhook({ secret, body, timestamp, secretEncoding = 'base64' }: Signing): string {
  if (!TIMESTAMP.test(String(timestamp))) throw new RangeError('timestamp: whole seconds since 1970')
  return `sha256=${digest(signingKey(secret, secretEncoding), String(timestamp), body).toString('hex')}`
}

export interface Verification {
  /** The body as it came, before any parser. */
  payload: Uint8Array | string
  headers: WebhookHeaders
  /** One secret, or several while one replaces another. */
  secrets: string | readonly string[]
  /** How far the timestamp may be from this machine's clock, in seconds, either way: 0 to 86,400, 300 when left out. */
  toleranceSeconds?: number
  /** Milliseconds since 1970; the time of the call when left out. */
  now?: number
  /** `base64` when left out; `auto` tries the decoded bytes and the text. */
  secretEncoding?: SecretEncoding | 'auto'
}

/**
 * Returns the event when signature, time and headers are right.
 * @throws WebhookVerificationError with a `code` when one is not; RangeError for a tolerance out of range
 */
export function verifyWebhook({
  payload,
  headers,
  secrets,
  toleranceSeconds = 300,
  now = Date.now(),
  secretEncoding = 'base64',
}: Verification): StatusEvent {
  if (!(toleranceSeconds >= 0 && toleranceSeconds <= 86_400))
    throw new RangeError('toleranceSeconds: a number from 0 to 86400')
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) refuse('body_already_parsed')

  const keys = [secrets].flat().flatMap((secret) => keysOf(secret, secretEncoding))
  if (keys.length === 0) refuse('secret_malformed')
  const signature = header(headers, WEBHOOK_HEADERS.signature)
  const timestamp = header(headers, WEBHOOK_HEADERS.timestamp)
  const eventId = header(headers, WEBHOOK_HEADERS.eventId)
  const eventType = header(headers, WEBHOOK_HEADERS.eventType)

  const given = once(signature, SIGNATURE, 'malformed_signature')
  const seconds = once(timestamp, TIMESTAMP, 'malformed_timestamp')
  // A time that is not a number fails both comparisons, and is refused.
  const age = Math.floor(now / 1000) - Number(seconds)
  if (!(age <= toleranceSeconds)) refuse('timestamp_too_old')
  if (!(age >= -toleranceSeconds)) refuse('timestamp_in_future')

  const claimed = Buffer.from(given.slice('sha256='.length), 'hex')
  // Every key is tried, so that the time taken does not tell which one fits.
  const fits = keys.filter((key) => timingSafeEqual(digest(key, seconds, payload), claimed))
  if (fits.length === 0) refuse('no_match')

  const event = eventOf(payload)
  // The headers are not signed: a receiver that routes by them must find in them what the signed body says.
  if (eventId.join().toLowerCase() !== event.eventId.toLowerCase() || eventType.join() !== event.eventType)
    refuse('header_body_mismatch')
  return event
}

function keysOf(secret: string, encoding: SecretEncoding | 'auto'): Buffer[] {
  if (encoding !== 'auto') return [signingKey(secret, encoding)]
  const text = signingKey(secret, 'utf8')
  const decoded = decodeBase64(secret)
  return decoded ? [decoded, text] : [text]
}

// A key object makes this four times as fast as the bytes of the key.
const digest = (key: Buffer, timestamp: string, body: Uint8Array | string) =>
  createHmac('sha256', createSecretKey(key)).update(`${timestamp}.`).update(body).digest()

/** Returns every value of a header, in any spelling and shape in which server libraries give headers. */
function header(headers: WebhookHeaders, name: string): string[] {
  const given =
    headers instanceof Headers
      ? [headers.get(name)]
      : Object.keys(headers)
          .filter((key) => key.toLowerCase() === name.toLowerCase())
          .flatMap((key) => headers[key])
  const values = given.filter((value) => value !== null && value !== undefined)
  if (values.length === 0) refuse('missing_header')
  return values
}

/** A header that is given twice proves nothing: which of the two was checked would be chance. Node joins them with a comma. */
function once(values: string[], format: RegExp, code: 'malformed_signature' | 'malformed_timestamp'): string {
  const [value = ''] = values
  if (values.length !== 1 || !format.test(value)) refuse(code)
  return value
}

function eventOf(payload: Uint8Array | string): StatusEvent {
  let body: unknown
  try {
    body = JSON.parse(typeof payload === 'string' ? payload : new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    refuse('body_not_json')
  }
  const event = StatusEvent.safeParse(body)
  return event.success ? event.data : refuse('body_not_event')
}

function refuse(code: ConstructorParameters<typeof WebhookVerificationError>[0]): never {
  throw new WebhookVerificationError(code)
}
