/** Whether what has a period and a use counts at a moment. Pure. */

interface Used {
  use?: string | undefined
  period?: { start?: string | undefined; end?: string | undefined } | undefined
}

/**
 * Whether only its assigner says who gave an identifier: the number alone is also that of another assigner, whose name may be written
 * otherwise elsewhere.
 */
export const hasAssignerAlone = ({
  system = '',
  assigner,
}: {
  system?: string | undefined
  assigner?: object | undefined
}) => system.trim() === '' && assigner !== undefined

const HOUR_MS = 3_600_000

/** Whether it is not old and its period has begun and not ended, wherever on Earth that is. An unreadable date does not count. */
export function isInUse({ use, period }: Used, at: number): boolean {
  if (use === 'old') return false
  const { start, end } = period ?? {}
  return (start === undefined || firstMoment(start) <= at) && (end === undefined || lastMoment(end) >= at)
}

/** Returns NaN, which compares to nothing, for what is not a date of FHIR. */
function firstMoment(date: string): number {
  if (date.includes('T')) return Date.parse(date)
  return Date.parse(`${date}${'-01-01'.slice(date.length - 4)}T00:00:00Z`) - 14 * HOUR_MS
}

/** Periods include their end: a year ends with its last day. */
function lastMoment(date: string): number {
  if (date.includes('T')) return Date.parse(date)
  const [year = '', month, day] = date.split('-')
  if (!/^\d{4}(-\d\d){0,2}$/.test(date)) return Number.NaN
  const end = day
    ? Date.UTC(Number(year), Number(month) - 1, Number(day) + 1)
    : month
      ? Date.UTC(Number(year), Number(month), 1)
      : Date.UTC(Number(year) + 1, 0, 1)
  return end + 12 * HOUR_MS
}
