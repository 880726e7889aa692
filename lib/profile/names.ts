/** The names that a host gives to what the interface words neutrally. Pure. */
import { WEBHOOK_HEADERS } from '../contract/callback.ts'
import { type FieldType, fieldKind, fieldTypes } from '../contract/task/field-kinds.ts'
import type { HostProfile } from './host-profile.ts'

export type WebhookHeaderNames = Readonly<Record<keyof typeof WEBHOOK_HEADERS, string>>

const NEUTRAL_PREFIX = 'X-Service-'
const NEUTRAL_WORD = 'SVC'

/** Returns the headers of a callback. */
export const webhookHeaders = ({ headerPrefix }: Pick<HostProfile, 'headerPrefix'>): WebhookHeaderNames =>
  Object.fromEntries(
    Object.entries(WEBHOOK_HEADERS).map(([key, neutral]) => [key, headerPrefix + neutral.slice(NEUTRAL_PREFIX.length)]),
  ) as WebhookHeaderNames

/** Returns the token that asks for a field of this kind. */
export const tokenOf = (type: FieldType, { tokenPrefix }: Pick<HostProfile, 'tokenPrefix'>): string =>
  `{${tokenPrefix}${fieldKind(type).token.slice(1 + NEUTRAL_WORD.length)}`

/** Returns the tokens of all kinds, in the order of `fieldTypes`. */
export const tokensOf = (profile: Pick<HostProfile, 'tokenPrefix'>): string[] =>
  fieldTypes.map((type) => tokenOf(type, profile))
