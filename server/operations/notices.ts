/** How a signer is notified by e-mail that documents wait, as the inbox and the console show and take it. */
import * as z from 'zod'
import { rule } from '../../lib/contract/primitives.ts'
import { isTimeZone } from '../../lib/time-zone.ts'
import { NOTICE_MODES } from '../domain/notices/schedule.ts'

const hour = 'a whole number from 0 to 23'
const timeZone = 'the name of a time zone, such as America/Chicago'
const address = 'an e-mail address of up to 254 characters'

export const Notices = z.object({
  /** Whether the service has a mail server. */
  isOffered: z.boolean(),
  /** Not at all; soon after a document has come; or once a day at the hour. */
  mode: z.enum(NOTICE_MODES),
  hour: z.int(),
  timeZone: z.string(),
  /** Where they go; null: nowhere yet. */
  address: z.string().nullable(),
  /** An address that the signer has entered and not confirmed. */
  unconfirmed: z.string().nullable(),
})
export type Notices = z.infer<typeof Notices>

export const NoticesBody = z.object({
  mode: z.enum(NOTICE_MODES, `one of ${NOTICE_MODES.join(', ')}`),
  hour: z.int(rule(hour)).min(0, hour).max(23, hour),
  timeZone: z.string(rule(timeZone)).refine(isTimeZone, timeZone),
})
export type NoticesBody = z.input<typeof NoticesBody>

/** One mailbox: what could be read as several, or as a header, is refused. */
export const EmailAddress = z.email(address).max(254, address)
