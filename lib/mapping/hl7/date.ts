/** DT and TS: the day that a value begins with. Pure. */
import { isDay } from '../calendar-day.ts'
import type { Findings, Placed } from '../findings.ts'

/**
 * Returns YYYY-MM-DD. The digits are taken as they are, because a day that is read as a moment shifts with the time zone. Holds
 * the message when the day is not told to the day, or does not exist.
 */
export function dateOf(field: string, { place, value: text }: Placed<string>, findings: Findings): string {
  findings.from(field, place)
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(text) ?? []
  const date = `${year}-${month}-${day}`
  if (year !== undefined && isDay(date)) return date
  findings.hold(place, text === '' || text === '""' ? 'no date' : 'is not a full date')
  return ''
}
