/** Dates, ages and numbers as people read them, in the language of the page. */
import { locale, t } from '../words/words.ts'

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

/** Shows a calendar date, YYYY-MM-DD. */
export const calendarDate = (date: string): string => day.format(new Date(`${date}T00:00:00Z`))

/** Shows a moment, ISO 8601, in the time zone of the reader. */
export const localTime = (at: string): string => moment.format(new Date(at))

const pad = (value: number) => `${value}`.padStart(2, '0')

/** Writes a moment as a field for a date and a time has it: to the minute, in the time zone of the reader. */
export const fieldTime = (at: Date): string =>
  `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${pad(at.getHours())}:${pad(at.getMinutes())}`

const second = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })

/** Shows a moment to the second, ISO 8601, in the time zone of the reader. */
export const exactTime = (at: string): string => second.format(new Date(at))

/**
 * Returns when a day (YYYY-MM-DD) begins in the time zone of the reader, or a later one, as a time in UTC. Empty for what is not a day.
 */
export function startOf(day: string, daysLater = 0): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return ''
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

/** The name of the reader's time zone, such as America/Chicago. A browser that hides it says UTC, and shows times in UTC. */
export const ownTimeZone = (): string => moment.resolvedOptions().timeZone

/** How long something has been waiting, in words; `now` is in ms since 1970. */
export function waitingFor(since: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000))
  if (minutes < 1) return t('time.justNow')
  if (minutes < 60) return t('time.minutes', { count: minutes })
  if (minutes < 24 * 60) return t('time.hours', { count: Math.floor(minutes / 60) })
  return t('time.days', { count: Math.floor(minutes / (24 * 60)) })
}

const number = new Intl.NumberFormat(locale)

/** Shows a number that may be large, such as 12,345. */
export const grouped = (value: number): string => number.format(value)

/** Age in whole years on a day; the birth date is YYYY-MM-DD. */
export function yearsOld(birthDate: string, today: Date): number {
  const [year = 0, month = 0, date = 0] = birthDate.split('-').map(Number)
  const thisMonth = today.getMonth() + 1
  const isBeforeBirthday = thisMonth < month || (thisMonth === month && today.getDate() < date)
  return today.getFullYear() - year - (isBeforeBirthday ? 1 : 0)
}
