/**
 * Reads a calendar date as other systems write it. Pure. What could be more than one day stays as it is, for the contract to refuse:
 * 03/12/1948, two digits for a year, seconds since 1970.
 */
import { types } from 'node:util'
import { dayAt } from '../../../lib/time-zone.ts'

/**
 * Returns YYYY-MM-DD for digits, a timestamp, a Date or a number of milliseconds; anything else as it was given.
 * @param timeZone where the day of a moment is judged; null for the time zone of this machine
 */
export function dateOf(given: unknown, timeZone: string | null): unknown {
  const moment = momentOf(given)
  if (moment !== undefined) return dayOf(moment, timeZone)
  const text = typeof given === 'number' ? String(given) : given
  if (typeof text !== 'string' || (typeof given === 'number' && !/^(19|20)\d{6}$/.test(text))) return given
  return dayAsWritten(text.trim()) ?? given
}

/** Whether a value is a moment whose day depends on a time zone. */
export function isMoment(given: unknown): boolean {
  const moment = momentOf(given)
  return moment !== undefined && !isDayOnly(moment)
}

/** A moment in UTC. Its day is another one elsewhere, so it is read like a Date. */
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]00:?00)$/i
/** 1948-03-12 or 19480312, also with a time behind it, as ISO 8601 and HL7 write them. An offset is that of the sender's clock. */
const WRITTEN = [
  /^(\d{4})-(\d\d)-(\d\d)([T ]\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d:?\d\d)?)?$/,
  /^(\d{4})(\d\d)(\d\d)((\d\d){1,3}(\.\d{1,4})?([+-]\d{4})?)?$/,
]

/** A number with fewer digits could count seconds. */
const LEAST_MILLISECONDS = 100_000_000_000

function momentOf(given: unknown): Date | undefined {
  // A Date of a function node comes from another context, where `Date` is another class.
  if (types.isDate(given)) return valid(given)
  if (typeof given === 'string') return UTC.test(given.trim()) ? valid(new Date(given.trim())) : undefined
  const isCount = typeof given === 'number' && Number.isInteger(given) && Math.abs(given) >= LEAST_MILLISECONDS
  return isCount ? valid(new Date(given)) : undefined
}

const valid = (moment: Date): Date | undefined => (Number.isNaN(moment.getTime()) ? undefined : moment)

function dayAsWritten(text: string): string | undefined {
  const [, year, month, day] = WRITTEN.map((form) => form.exec(text)).find(Boolean) ?? []
  return year && month && day ? `${year}-${month}-${day}` : undefined
}

/** Midnight in UTC is what `new Date('1948-03-12')` gives; any other moment has the day of a time zone. */
const isDayOnly = (moment: Date): boolean => moment.getTime() % 86_400_000 === 0
const dayOf = (moment: Date, timeZone: string | null): string =>
  isDayOnly(moment) ? moment.toISOString().slice(0, 10) : dayAt(timeZone, moment)
