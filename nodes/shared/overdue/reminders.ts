/**
 * Decides which reminders of a task are due: by the days since it was sent, and by the days until its certification window ends. Days are
 * those of a calendar. Pure: days are arguments.
 */

export const KINDS = ['age', 'window'] as const
export type Kind = (typeof KINDS)[number]

/** Days as the calendar shows them, such as `2026-01-15`. */
export interface TaskDays {
  /** The day on which the task was sent. */
  sent: string
  /** The clinical date, where a message has named it. */
  clinicalDate: string | undefined
  today: string
}

export interface Schedule {
  /** Days after the task was sent, ascending. */
  afterDays: readonly number[]
  /** The length of the certification window in days; null when there is none. */
  windowDays: number | null
  /** Days before the end of the window, ascending. */
  beforeDays: readonly number[]
}

export interface Reminder {
  kind: Kind
  threshold: number
  daysOpen: number
  /** The last day of the certification window; null without a window. */
  windowEnds: string | null
  /** Days until then, negative afterwards; null without a window. */
  daysLeft: number | null
}

/** Returns the reminder of each kind whose threshold was reached last. */
export function remindersOf(days: TaskDays, schedule: Schedule): Reminder[] {
  const { sent, clinicalDate, today } = days
  const { afterDays, windowDays, beforeDays } = schedule
  // The clock of a host may be ahead of this one.
  const daysOpen = Math.max(0, daysBetween(sent, today))
  const windowEnds = windowDays === null ? null : dayAfter(clinicalDate ?? sent, windowDays)
  const daysLeft = windowEnds === null ? null : daysBetween(today, windowEnds)
  const reached = {
    age: afterDays.findLast((threshold) => threshold <= daysOpen),
    window: daysLeft === null ? undefined : beforeDays.find((threshold) => threshold >= daysLeft),
  }
  return KINDS.flatMap((kind) => {
    const threshold = reached[kind]
    return threshold === undefined ? [] : [{ kind, threshold, daysOpen, windowEnds, daysLeft }]
  })
}

/** Whether a threshold comes after another one of its kind: of a window, fewer days are left. */
export const isLater = (kind: Kind, threshold: number, other: number): boolean =>
  kind === 'age' ? threshold > other : threshold < other

const DAY_MS = 86_400_000

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

const dayAfter = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)
