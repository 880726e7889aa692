/**
 * Signs and verifies callbacks, side by side. Bytes in, an event or an error out; remembers nothing, and reads the clock only
 * where no time is given. spec: Events › Signature verification
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { decodeBase64 } from '../base64.ts'
import type { StatusEvent } from '../contract/event.ts'
import { type CallbackHabits, callbackHabitsOf } from '../profile/callback-habits.ts'
import type { ProfileInput } from '../profile/host-profile.ts'
import { type WebhookHeaderNames, webhookHeaders } from '../profile/names.ts'
import { readEvent } from './read-event.ts'
import { type VerificationCode, WebhookVerificationError } from './verification-error.ts'

/** How the text of a secret becomes the HMAC key: `base64` decodes it to its 32 bytes, `utf8` takes the text as it is. */
export type SecretEncoding = 'base64' | 'utf8'

/** Headers that are looked up by name in any spelling, such as those of `fetch`. */
export interface HeadersLookUp {
  /** Returns the value of a header; null or undefined where it is missing. */
  get(name: string): string | null | undefined
}

type Value = string | readonly string[] | undefined

/** The headers of a request, as `fetch`, node:http, Express, or another library gives them. */
export type WebhookHeaders = HeadersLookUp | ReadonlyMap<string, Value> | Readonly<Record<string, Value>>

const SIGNATURE = /^sha256=[0-9a-f]{64}$/

/** How a timestamp of each unit is written, and how many of them a second has. */
const TIMESTAMPS = { s: { format: /^\d{1,12}$/, perSecond: 1 }, ms: { format: /^\d{1,15}$/, perSecond: 1000 } } as const

/**
 * Returns the HMAC key of a secret. Anyone could sign with an empty key, so a secret without one is refused.
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

/** The secret, and the parts that a callback's signature covers. */
export interface Signing {
  /** The secret of the subscription, as the host gave it. */
  secret: string
  /** The body, exactly as it is sent. */
  body: Uint8Array | string
  /** Unix time in whole seconds, or in the unit of the profile; the value of X-Service-Timestamp. */
  timestamp: number
  /** Optional; that of the profile by default. */
  secretEncoding?: SecretEncoding
  /** How the host speaks. Optional; our own service by default. Only what it says of callbacks is checked. */
  profile?: ProfileInput
}

/**
 * Returns the value of X-Service-Signature: `sha256=` and the lowercase hex of HMAC-SHA256 over `<timestamp>.<body>`.
 * @throws RangeError for a timestamp that is not a whole number; WebhookVerificationError for a secret that is not usable
 */
export function signWebhook({ secret, body, timestamp, secretEncoding, profile }: Signing): string {
  const { webhook } = callbackHabitsOf(profile)
  if (!TIMESTAMPS[webhook.timestampUnit].format.test(String(timestamp)))
    throw new RangeError(`timestamp: whole ${UNITS[webhook.timestampUnit]} since 1970`)
  const key = signingKey(secret, secretEncoding ?? webhook.secretEncoding)
  return `sha256=${digest(key, String(timestamp), body).toString('hex')}`
}

/** A callback as it came, and what it is checked against. */
export interface Verification {
  /** The body as it came, before any parser. */
  payload: Uint8Array | ArrayBuffer | string
  /** The headers as the server gives them. */
  headers: WebhookHeaders
  /** One secret, or several while one replaces another. */
  secrets: string | readonly string[]
  /**
   * How far the timestamp may be from this machine's clock, in seconds, either way: 0 to 86,400; that of the profile when left
   * out, which is 300 for our own service.
   */
  toleranceSeconds?: number
  /** Milliseconds since 1970. Optional; the time of the call by default. */
  now?: number
  /** That of the profile when omitted; `auto` tries the decoded bytes and the text. */
  secretEncoding?: SecretEncoding | 'auto'
  /** How the host speaks. Optional; our own service by default. Only what it says of callbacks is checked. */
  profile?: ProfileInput
}

/**
 * Returns the event when signature, time and headers are right.
 * @throws WebhookVerificationError with a `code` when one is not; RangeError for a tolerance out of range
 */
export function verifyWebhook({ headers, secrets, now = Date.now(), ...options }: Verification): StatusEvent {
  const payload = options.payload instanceof ArrayBuffer ? new Uint8Array(options.payload) : options.payload
  const habits = callbackHabitsOf(options.profile)
  const { toleranceSeconds = habits.webhook.toleranceSeconds } = options
  if (!(toleranceSeconds >= 0 && toleranceSeconds <= 86_400))
    throw new RangeError('toleranceSeconds: a number from 0 to 86400')
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) refuse('body_already_parsed')

  const encoding = options.secretEncoding ?? habits.webhook.secretEncoding
  const keys = [secrets].flat().flatMap((secret) => keysOf(secret, encoding))
  if (keys.length === 0) refuse('secret_malformed')
  const given = readHeaders(headers, habits)
  // Written so that a time that is not a number is refused.
  const age = Math.floor(now / 1000) - given.seconds
  if (!(age <= toleranceSeconds)) refuse('timestamp_too_old')
  if (!(age >= -toleranceSeconds)) refuse('timestamp_in_future')

  const claimed = Buffer.from(given.signature.slice('sha256='.length), 'hex')
  // Every key is tried, so that the time taken does not tell which one fits.
  const fits = keys.filter((key) => timingSafeEqual(digest(key, given.timestamp, payload), claimed))
  if (fits.length === 0) refuse('no_match')

  const event = eventOf(payload)
  // The headers are not signed: a receiver that routes by them must find in them what the signed body says.
  if (given.eventId.toLowerCase() !== event.eventId.toLowerCase() || given.eventType !== event.eventType)
    refuse('header_body_mismatch')
  return event
}

/** The names of the units, as sentences use them. */
const UNITS = { s: 'seconds', ms: 'milliseconds' } as const

/** Returns the four headers. Refuses when one is missing, or is not in its form. */
function readHeaders(headers: WebhookHeaders, habits: CallbackHabits) {
  const names = webhookHeaders(habits)
  const { format, perSecond } = TIMESTAMPS[habits.webhook.timestampUnit]
  const [signatures, timestamps, eventIds, eventTypes] = [
    header(headers, names, 'signature'),
    header(headers, names, 'timestamp'),
    header(headers, names, 'eventId'),
    header(headers, names, 'eventType'),
  ]
  const signature = once(signatures, SIGNATURE) ?? refuse('malformed_signature', names)
  const timestamp = once(timestamps, format) ?? refuse('malformed_timestamp', names)
  const seconds = Math.floor(Number(timestamp) / perSecond)
  return { signature, timestamp, seconds, eventId: eventIds.join(), eventType: eventTypes.join() }
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
function header(headers: WebhookHeaders, names: WebhookHeaderNames, which: keyof WebhookHeaderNames): string[] {
  const name = names[which]
  const given = isLookUp(headers)
    ? [headers.get(name)]
    : Object.entries<Value>(headers instanceof Map ? Object.fromEntries(headers) : headers)
        .filter(([key]) => key.toLowerCase() === name.toLowerCase())
        .flatMap(([, value]) => value)
  const values = given.filter((value): value is string => value !== null && value !== undefined)
  return values.length > 0 ? values : refuse('missing_header', names)
}

/** Whether `get` finds a header in any spelling. The one of a Map does not. */
const isLookUp = (headers: WebhookHeaders): headers is HeadersLookUp =>
  !(headers instanceof Map) && typeof headers.get === 'function'

/** A header that is given twice proves nothing: which of the two was checked would be chance. Node joins them with a comma. */
const once = ([value = '', ...others]: string[], format: RegExp): string | null =>
  others.length === 0 && format.test(value) ? value : null

function eventOf(payload: Uint8Array | string): StatusEvent {
  let body: unknown
  try {
    body = JSON.parse(typeof payload === 'string' ? payload : new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    refuse('body_not_json')
  }
  const read = readEvent(body)
  if ('event' in read) return read.event
  throw new WebhookVerificationError('body_not_event', { issues: read.issues })
}

function refuse(code: VerificationCode, headers?: WebhookHeaderNames): never {
  throw new WebhookVerificationError(code, headers && { headers })
}
