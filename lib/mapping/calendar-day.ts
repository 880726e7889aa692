/** Days of the calendar. Pure. */
import { dayAt } from '../time-zone.ts'
import type { Findings } from './findings.ts'
import type { MapFile } from './map-file.ts'

/**
 * Returns the day of a moment that a sender writes in UTC, which is another one where the sender is; null for what is not a moment.
 * Midnight in UTC is how programs write a day without a time, and is that day everywhere.
 * @param iso in ISO 8601, with the offset of UTC
 */
export function dayOfUtc(iso: string, place: string, { timeZone }: MapFile, findings: Findings): string | null {
  const moment = new Date(iso)
  if (Number.isNaN(moment.getTime())) return null
  const day = moment.toISOString().slice(0, 10)
  if (moment.getTime() % DAY_MS === 0) return day
  if (timeZone !== undefined) return dayAt(timeZone, moment)
  findings.warn(place, 'is a moment in UTC, and its day in UTC is sent; set timeZone in the map to have the day there')
  return day
}

const DAY_MS = 86_400_000

/** Whether YYYY-MM-DD is a day that exists. */
export function isDay(date: string): boolean {
  const moment = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date)
}
