/**
 * Reads a calendar date as other systems write it. Pure, but for the time zone of the process. What could be more than one day
 * stays as it is, for the contract to refuse: 03/12/1948, two digits for a year, seconds since 1970.
 */
import { types } from 'node:util'

/** Returns YYYY-MM-DD for digits, a timestamp, a Date or a number of milliseconds; anything else as it was given. */
export function dateOf(given: unknown): unknown {
  // A Date of a function node comes from another context, where `Date` is another class.
  if (types.isDate(given)) return dayOf(given) ?? given
  if (typeof given === 'number') return dayOfNumber(given) ?? given
  if (typeof given !== 'string') return given
  const text = given.trim()
  return (UTC.test(text) ? dayOf(new Date(text)) : dayAsWritten(text)) ?? given
}

/** A moment in UTC. Its day is another one elsewhere, so it is read like a Date. */
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]00:?00)$/i
/** 1948-03-12 or 19480312, also with a time behind it, as ISO 8601 and HL7 write them. An offset is that of the sender's clock. */
const WRITTEN = [
  /^(\d{4})-(\d\d)-(\d\d)([T ]\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d:?\d\d)?)?$/,
  /^(\d{4})(\d\d)(\d\d)((\d\d){1,3}(\.\d{1,4})?([+-]\d{4})?)?$/,
]

function dayAsWritten(text: string): string | undefined {
  const [, year, month, day] = WRITTEN.map((form) => form.exec(text)).find(Boolean) ?? []
  return year && month && day ? `${year}-${month}-${day}` : undefined
}

/** A number with fewer digits could count seconds. */
const LEAST_MILLISECONDS = 100_000_000_000

function dayOfNumber(given: number): string | undefined {
  if (!Number.isInteger(given)) return undefined
  if (/^(19|20)\d{6}$/.test(String(given))) return dayAsWritten(String(given))
  return Math.abs(given) >= LEAST_MILLISECONDS ? dayOf(new Date(given)) : undefined
}

/** Midnight in UTC is what `new Date('1948-03-12')` gives; any other moment has the day of this time zone. */
function dayOf(moment: Date): string | undefined {
  if (Number.isNaN(moment.getTime())) return undefined
  const isDayOnly = moment.getTime() % 86_400_000 === 0
  const [year, month, day] = isDayOnly
    ? [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()]
    : [moment.getFullYear(), moment.getMonth(), moment.getDate()]
  const digits = (value: number, count: number) => String(value).padStart(count, '0')
  return `${digits(year, 4)}-${digits(month + 1, 2)}-${digits(day, 2)}`
}
