/** Why a callback is refused. No message repeats a header, the body or a secret. */
import { WEBHOOK_HEADERS } from '../contract/callback.ts'
import type { WebhookHeaderNames } from '../profile/names.ts'

const MEANINGS = {
  missing_header: ({ signature }: WebhookHeaderNames) =>
    `a header of the delivery is missing. Check that a proxy does not remove ${signature} and its like, and that the profile of the host has its names.`,
  malformed_signature: ({ signature }: WebhookHeaderNames) =>
    `${signature} is not "sha256=" and 64 lowercase hex digits, given once.`,
  malformed_timestamp: ({ timestamp }: WebhookHeaderNames) =>
    `${timestamp} is not a time as a whole number, in the unit of the host, given once.`,
  timestamp_too_old: 'the delivery is older than the tolerance. It is a replay, or a clock is wrong.',
  timestamp_in_future: 'the delivery lies in the future by more than the tolerance. Check the clocks.',
  no_match:
    'the signature fits none of the secrets. The body was changed on the way, or the secret is not the right one.',
  body_already_parsed:
    'the body was parsed before it could be verified. Put the handler before every body parser, or use express.raw().',
  secret_has_whitespace: 'a secret has white space in it. Copy it again, without blanks and line ends.',
  secret_malformed:
    'a secret is missing or not Base64. Check it, or set secretEncoding to "utf8" for a host that uses the text itself.',
  body_not_json: 'the body is signed, but it is not JSON.',
  body_not_event: 'the body is signed, but it is not a status event as the specification describes it.',
  header_body_mismatch: 'the event id or type of the headers is not that of the signed body.',
} as const

/** Why a callback is not believed, or why nothing can be verified. */
export type VerificationCode = keyof typeof MEANINGS

interface Found {
  /** The names of the headers. Optional; as the specification names them by default. */
  headers?: WebhookHeaderNames
  /** Errors of the body, by path and without values. */
  issues?: readonly string[]
}

/** A callback that is not genuine: answer 400 and drop it, unless the fault is the receiver's own (`isOwnFault`). */
export class WebhookVerificationError extends Error {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name = 'WebhookVerificationError'
  /** Which check the callback did not pass. */
  readonly code: VerificationCode
  /** Errors of an event's body, by path and without values; empty for every other code. */
  readonly issues: readonly string[]
  constructor(code: VerificationCode, { headers = WEBHOOK_HEADERS, issues = [] }: Found = {}) {
    const meaning = MEANINGS[code]
    const sentence = typeof meaning === 'string' ? meaning : meaning(headers)
    super(`The callback is refused: ${[sentence, ...issues].join(' ')}`)
    this.code = code
    this.issues = issues
  }

  /** True when the sender did nothing wrong, and should try again once the receiver has been fixed: answer 500. */
  get isOwnFault(): boolean {
    return this.code === 'body_already_parsed' || this.code.startsWith('secret_')
  }
}
