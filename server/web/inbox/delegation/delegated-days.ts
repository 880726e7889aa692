/** Days on which a colleague signs, as the times between which that is. Pure: in the time zone of the browser. */

/**
 * From the beginning of the first day, or now where that is today, to the end of the last one; in UTC.
 * @param first @param last YYYY-MM-DD
 */
export function delegatedDays(first: string, last: string, now: Date): { startsAt: string; endsAt: string } {
  const startsAt = first === isoDay(now) ? now : beginningOf(first, 0)
  return { startsAt: startsAt.toISOString(), endsAt: beginningOf(last, 1).toISOString() }
}

/** The day that it is in the browser's time zone, YYYY-MM-DD. */
export function isoDay(at: Date): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`
}

function beginningOf(day: string, daysLater: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater)
}
