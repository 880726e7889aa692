/** date and dateTime: the day that a value begins with. Pure. */
import { dayOfUtc, isDay } from '../calendar-day.ts'
import type { Placed } from '../findings.ts'
import type { Reading } from './reading.ts'

/** Returns YYYY-MM-DD as it is, and of a moment in UTC its day in the time zone of the map. Holds the message when there is no whole day. */
export function dayOf(
  field: string,
  { place, value: text }: Placed<string | undefined>,
  { map, findings }: Pick<Reading, 'map' | 'findings'>,
): string {
  findings.from(field, place)
  const [written] = /^\d{4}-\d\d-\d\d(?=$|T)/.exec(text ?? '') ?? []
  const isUtc = text !== undefined && written !== undefined && /T.*(?:Z|[+-]00:00)$/.test(text) && isDay(written)
  const day = isUtc ? dayOfUtc(text, place, map, findings) : written
  if (day && isDay(day)) return day
  findings.hold(place, text === undefined ? 'no date' : 'is not a full date')
  return ''
}
