/** date and dateTime: the day that a value begins with. Pure. */
import { isDay } from '../calendar-day.ts'
import type { Findings, Placed } from '../findings.ts'

/** Returns YYYY-MM-DD as it is: a moment would have another day elsewhere. Holds the message when there is no whole day. */
export function dayOf(field: string, { place, value: text }: Placed<string | undefined>, findings: Findings): string {
  findings.from(field, place)
  const [day] = /^\d{4}-\d\d-\d\d(?=$|T)/.exec(text ?? '') ?? []
  if (day !== undefined && isDay(day)) return day
  findings.hold(place, text === undefined ? 'no date' : 'is not a full date')
  return ''
}
