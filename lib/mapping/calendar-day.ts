/** Days of the calendar. Pure. */

/** Whether YYYY-MM-DD is a day that exists. */
export function isDay(date: string): boolean {
  const moment = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date)
}
