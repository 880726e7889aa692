/** When a signer is notified by e-mail that documents wait. Pure. */
import { grown, spread } from '../../../lib/back-off.ts'
import { timeIn } from '../../../lib/time-zone.ts'

/** Not at all; soon after a document has come; or once a day. */
export const NOTICE_MODES = ['off', 'soon', 'daily'] as const
export type NoticeMode = (typeof NOTICE_MODES)[number]

export interface NoticeChoice {
  mode: NoticeMode
  /** The hour of a daily notice, from 0 to 23, in the time zone. */
  hour: number
  /** IANA, such as `America/Chicago`. */
  timeZone: string
}

/** Documents that arrive within this time of the first one go into the same e-mail. */
export const GATHER_MS = 5 * 60_000

/** Clocks differ from UTC by quarters of an hour. */
const QUARTER_MS = 15 * 60_000
/** More than two days, because a clock that is put forward skips an hour on one of them. */
const QUARTERS_AHEAD = 50 * 4
/** So that an hour that a clock shows twice in a night counts once. */
const SAME_HOUR_MS = 2 * 60 * 60_000

/** Returns when a signer is notified of a document that has come at `at`; null: not at all. */
export function noticeDue({ mode, hour, timeZone }: NoticeChoice, at: Date): Date | null {
  if (mode === 'off') return null
  return mode === 'soon' ? new Date(at.getTime() + GATHER_MS) : nextHour(hour, timeZone, at)
}

/** Returns when a signer whose documents still wait is told again after a notice at `at`; null: not before another has come. */
export const noticeDueAgain = ({ mode, hour, timeZone }: NoticeChoice, at: Date): Date | null =>
  mode === 'daily' ? nextHour(hour, timeZone, new Date(at.getTime() + SAME_HOUR_MS)) : null

/** Returns when an e-mail is tried again that the mail server has not taken that many times in a row. `random` is from 0 to 1. */
export const triedAgain = (failures: number, random: number, at: Date): Date =>
  new Date(at.getTime() + spread(grown(MAIL_BACK_OFF, failures), random))

const MAIL_BACK_OFF = { firstMs: 60_000, longestMs: 60 * 60_000 }

/** The next time after `at` at which clocks there show the full hour. */
function nextHour(hour: number, timeZone: string, at: Date): Date {
  const wanted = ` ${String(hour).padStart(2, '0')}:00:`
  const first = (Math.floor(at.getTime() / QUARTER_MS) + 1) * QUARTER_MS
  for (let quarter = 0; quarter < QUARTERS_AHEAD; quarter++) {
    const then = new Date(first + quarter * QUARTER_MS)
    if (timeIn(timeZone, then.toISOString()).includes(wanted)) return then
  }
  throw new Error(`No clock shows ${hour} o'clock there within two days.`)
}
