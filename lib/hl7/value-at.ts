/** Reads one value by its place, as analysts write it: `PID-3(2).4.1`. */
import { fieldOf, type Message, type Segment, segmentsOf } from './message.ts'

/** A place in a message. All numbers count from 1. */
export interface Place {
  segment: string
  /** Which of the segments of this name. */
  occurrence: number
  field: number
  repetition: number
  component: number
  subcomponent: number
}

const PATTERN =
  /^(?<segment>[A-Z][A-Z0-9]{2})(?:\[(?<occurrence>\d{1,4})\])?-(?<field>\d{1,3})(?:\((?<repetition>\d{1,4})\))?(?:\.(?<component>\d{1,3}))?(?:\.(?<subcomponent>\d{1,3}))?$/

/**
 * Reads a place: segment, `[n]` for the nth of its name, field, `(n)` for its repetition, component and subcomponent; what is
 * omitted is the first. Returns null for anything else.
 */
export function readPlace(text: string): Place | null {
  const { segment, ...numbers } = PATTERN.exec(text)?.groups ?? {}
  if (segment === undefined) return null
  const number = (name: string) => Number(numbers[name] ?? 1)
  const place = {
    segment,
    occurrence: number('occurrence'),
    field: number('field'),
    repetition: number('repetition'),
    component: number('component'),
    subcomponent: number('subcomponent'),
  }
  return Object.values(place).includes(0) ? null : place
}

/** Returns the value at a place, such as `TXA-12.3`; an empty text where there is none. Throws `TypeError` when it is no place. */
export function valueAt(message: Message, text: string): string {
  const place = readPlace(text)
  if (place === null) throw new TypeError(`"${text}" is no place in a message. Write it as PID-3(2).4.1.`)
  const segment = segmentsOf(message, place.segment)[place.occurrence - 1]
  return segment === undefined ? '' : valueIn(segment, place)
}

/** Returns the value at a place of this segment; an empty text where there is none. */
export const valueIn = (
  segment: Segment,
  { field, repetition = 1, component = 1, subcomponent = 1 }: Pick<Place, 'field'> & Partial<Place>,
): string => fieldOf(segment, field)[repetition - 1]?.[component - 1]?.[subcomponent - 1] ?? ''
