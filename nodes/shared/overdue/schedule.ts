/** Reads the thresholds of an overdue node from its form. */
import { NodeError } from '../runtime/failures.ts'
import type { Config } from '../runtime/node-red.ts'
import type { Schedule } from './reminders.ts'

/** Ten years: whatever is longer is a mistake, and a day that far away can be computed. */
const MOST_DAYS = 3650

/** Throws the NodeError BAD_SCHEDULE when a threshold is not a number of days, or when there are no thresholds. */
export function scheduleOf({ afterDays, windowDays, beforeDays }: Config): Schedule {
  const window = daysIn('windowDays', windowDays)
  if (window.length > 1) throw badSchedule('windowDays: enter one number of days, or nothing.')
  const schedule = {
    afterDays: daysIn('afterDays', afterDays),
    windowDays: window[0] ?? null,
    beforeDays: daysIn('beforeDays', beforeDays),
  }
  if (schedule.beforeDays.length > 0 && schedule.windowDays === null)
    throw badSchedule('windowDays is empty; enter how many days the certification window has.')
  if (schedule.afterDays.length === 0 && schedule.beforeDays.length === 0)
    throw badSchedule('afterDays and beforeDays are empty; enter at least one threshold.')
  return schedule
}

/** Returns the numbers of a list, ascending, each once. */
function daysIn(name: string, entered: unknown): number[] {
  const parts = String(entered ?? '')
    .split(/[\s,;]+/)
    .filter(Boolean)
  const isWrong = (part: string) => !/^\d{1,4}$/.test(part) || Number(part) > MOST_DAYS
  if (parts.some(isWrong)) throw badSchedule(`${name}: enter whole numbers of days from 0 to ${MOST_DAYS}.`)
  return [...new Set(parts.map(Number))].toSorted((a, b) => a - b)
}

const badSchedule = (message: string) => new NodeError('BAD_SCHEDULE', message)
