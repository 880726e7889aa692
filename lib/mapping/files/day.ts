/** Days in an index. Pure. */
import { isDay } from '../calendar-day.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import type { IndexValue } from './read-index.ts'

/** Returns YYYY-MM-DD of this or of YYYYMMDD; of M/D/YYYY only where the map says so, because it may be another day elsewhere. */
export function dayOf(field: string, { place, value }: IndexValue, { dates }: MapFile, findings: Findings): string {
  findings.from(field, place)
  const [, m = '', d = '', y] = (dates === 'MDY' && /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value)) || []
  const text = y === undefined ? value : `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text) ?? []
  const date = `${year}-${month}-${day}`
  if (year !== undefined && isDay(date)) return date
  findings.hold(place, value === '' ? 'no date' : 'is not a full date (YYYY-MM-DD or YYYYMMDD)')
  return ''
}
