/** A moment as the calendar and the clock of a place show it: a signature shows the signer's day, not that of Greenwich. Pure. */

/** Whether this machine knows a time zone of this name, an IANA one such as `America/Chicago`. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Returns the day there, such as `2026-01-15`. @param iso ISO 8601 */
export const dateIn = (timeZone: string, iso: string): string => shownIn(timeZone, iso).date

/** Returns the day that it is then in a time zone; with null, or a zone that is not known any more, in that of this machine (`TZ`). */
export function dayAt(timeZone: string | null, at: Date): string {
  const isKnown = timeZone !== null && (clocks.has(timeZone) || isTimeZone(timeZone))
  return dateIn(isKnown ? timeZone : new Intl.DateTimeFormat().resolvedOptions().timeZone, at.toISOString())
}

/** Returns day and time there, such as `2026-01-15 08:03:05 UTC-06:00`; for UTC without an offset. @param iso ISO 8601 */
export function timeIn(timeZone: string, iso: string): string {
  const { date, time, offset } = shownIn(timeZone, iso)
  return `${date} ${time} ${offset}`
}

function shownIn(timeZone: string, iso: string) {
  const parts = clockOf(timeZone).formatToParts(new Date(iso))
  const of = (wanted: Intl.DateTimeFormatPartTypes) => parts.find(({ type }) => type === wanted)!.value
  return {
    date: `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}`,
    time: `${of('hour')}:${of('minute')}:${of('second')}`,
    offset: of('timeZoneName').replace(/^GMT(\+00:00)?/, 'UTC'),
  }
}

/** Made once for each zone, because making one takes longer than showing a moment. */
const clocks = new Map<string, Intl.DateTimeFormat>()
const MOST_CLOCKS = 50

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  if (clocks.size >= MOST_CLOCKS) clocks.clear()
  const clock = new Intl.DateTimeFormat('en', { ...NUMBERS, timeZone })
  clocks.set(timeZone, clock)
  return clock
}

const NUMBERS: Intl.DateTimeFormatOptions = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  timeZoneName: 'longOffset',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
}
