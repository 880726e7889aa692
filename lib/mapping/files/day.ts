/** Days in an index. Pure. */
import { isDay } from '../calendar-day.ts'
import type { Findings } from '../findings.ts'
import type { IndexValue } from './read-index.ts'

/**
 * Returns YYYY-MM-DD of this or of YYYYMMDD. Holds the document for anything else: whether 3/4/1948 is in March or in April, nobody can
 * tell.
 */
export function dayOf(field: string, { place, value }: IndexValue, findings: Findings): string {
  findings.from(field, place)
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(value) ?? []
  const date = `${year}-${month}-${day}`
  if (year !== undefined && isDay(date)) return date
  findings.hold(place, value === '' ? 'no date' : 'no calendar day, written as YYYY-MM-DD or YYYYMMDD')
  return ''
}
