/** Times as hosts write them: in UTC, by ISO 8601. Without zod, so that verifying a callback stays small in a bundle. */
import type { Rule } from './rule.ts'

// As in `timestamp()`: seconds may be omitted only where no zone follows.
const WRITTEN = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?)?$/

export const utcTimeRule: Rule<string> = {
  fits(value): value is string {
    const day = typeof value === 'string' && WRITTEN.exec(value)?.[1]
    return day ? isCalendarDay(day) : false
  },
  right: 'a time in UTC, ISO 8601',
}

/** `Date` takes 30 February for 2 March, so that it writes another day than it has read. */
function isCalendarDay(day: string): boolean {
  const read = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day)
}

/** Returns the milliseconds since 1970 of a timestamp. One without a zone is in UTC, never in the zone of this machine. */
export const utcTime = (text: string): number => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
