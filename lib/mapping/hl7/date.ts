/** DT and TS: the day that a value begins with. Pure. */
import { dayOfUtc, isDay } from '../calendar-day.ts'
import type { Findings, Placed } from '../findings.ts'
import type { MapFile } from '../map-file.ts'

/**
 * Returns YYYY-MM-DD. The digits are taken as they are, because a day that is read as a moment shifts with the time zone; a moment in UTC
 * has its day in the time zone of the map. Holds the message when the value is not a full date, or does not exist.
 */
export function dateOf(
  field: string,
  { place, value: text }: Placed<string>,
  map: MapFile,
  findings: Findings,
): string {
  findings.from(field, place)
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(text) ?? []
  const written = `${year}-${month}-${day}`
  const [, hour, minute, second = '00'] = IN_UTC.exec(text) ?? []
  const date =
    hour !== undefined && isDay(written)
      ? dayOfUtc(`${written}T${hour}:${minute}:${second}Z`, place, map, findings)
      : written
  if (year !== undefined && date !== null && isDay(date)) return date
  findings.hold(place, text === '' || text === '""' ? 'no date' : 'is not a full date')
  return ''
}

/** Hours, minutes and seconds of a moment with the offset of UTC. */
const IN_UTC = /^\d{8}(\d\d)(\d\d)(\d\d)?(?:\.\d{1,4})?[+-]0000$/
