/** Reads who assigned an id, in HD, EI, CX, XCN and XON alike. Two ids are equal only when all of their authority is equal. Pure. */
import { fieldOf, type Message, type Repetition, segmentsOf } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import { isPlaceholder } from '../placeholder.ts'

/** Who assigned an id. */
export interface Authority {
  /**
   * The authority as HD writes it: a namespace, or namespace, universal id and its type with `&` between them; empty when the
   * message does not say.
   */
  key: string
  /** The texts by which a map may name it: the namespace, the universal id, and the key. */
  names: readonly string[]
}

/** Returns the trimmed value of a component; an empty text for `""`, which deletes. */
export function part(repetition: Repetition | undefined, component: number, subcomponent = 1): string {
  const value = repetition?.[component - 1]?.[subcomponent - 1]?.trim() ?? ''
  return value === '""' ? '' : value
}

/**
 * Returns an id with all of its subcomponents. A sender that does not escape `&` in an id has divided it by mistake, and a part of it is
 * the id of another record.
 */
export const idIn = (repetition: Repetition | undefined, component = 1): string => {
  const whole = (repetition?.[component - 1] ?? [])
    .join('&')
    .replace(/[\s&]+$/, '')
    .trimStart()
  return whole === '""' ? '' : whole
}

/** Returns the authority in a component of the type HD. */
export const authorityAt = (repetition: Repetition | undefined, component: number): Authority =>
  authority([1, 2, 3].map((subcomponent) => part(repetition, component, subcomponent)))

/** Returns the first authority that some components of the type HD name; one without a key when none does. */
export const authorityIn = (repetition: Repetition | undefined, components: readonly number[]): Authority =>
  components.map((component) => authorityAt(repetition, component)).find(({ key }) => key !== '') ?? authority([])

/** Returns the authority of EI, whose components 2 to 4 are those of HD. */
export const authorityOfEntity = (repetition: Repetition | undefined): Authority => authorityFrom(repetition, 2)

/** Returns the facility that sent the message, MSH-4: it counts where an id names no authority. */
export function sendingFacility(message: Message): Authority {
  const [header] = segmentsOf(message, 'MSH')
  const [facility] = header === undefined ? [] : fieldOf(header, 4)
  return authorityFrom(facility, 1)
}

/** Reads HD from three components; from the first alone where its subcomponents are those of HD, as in version 2.2. */
function authorityFrom(repetition: Repetition | undefined, first: number): Authority {
  const [namespace = '', ...others] = [first, first + 1, first + 2].map((component) => idIn(repetition, component))
  return others.some((part) => part !== '') ? authority([namespace, ...others]) : authorityAt(repetition, first)
}

function authority([namespace = '', universal = '', type = '']: readonly string[]): Authority {
  const whole = universal === '' ? [namespace] : [namespace, universal, type]
  const key = whole.map(escaped).join('&').replace(/&+$/, '')
  return { key, names: [...new Set([namespace, universal, key])].filter((name) => name !== '') }
}

/** Returns the id with its authority, so that no two different pairs have the same text. */
export const qualified = ({ key }: Authority, value: string): string =>
  key === '' ? escapedBar(value) : `${key}|${escapedBar(value)}`

const escapedBar = (text: string): string => text.replaceAll('\\', '\\E\\').replaceAll('|', '\\F\\')
const escaped = (text: string): string => escapedBar(text).replaceAll('&', '\\T\\')

/** Returns why an id is not one of a single record; null when it can be used. */
export function unusable(id: string, { names }: Authority, message: Message): string | null {
  if (isPlaceholder(id)) return 'is a placeholder, not an id'
  return [id, ...names].some((text) => isCutShort(text, message)) ? 'was cut short' : null
}

/** Since version 2.7, the fifth character of MSH-2 marks a value that was cut short. */
export const isCutShort = (text: string, { delimiters: { truncation } }: Message): boolean =>
  truncation !== null && text.endsWith(truncation)

/** Whether a value is in use on the day of the message, MSH-7, by its first and its last day; an unreadable day does not count. */
export function isInUse(message: Message, from: string, until: string): boolean {
  const [header] = segmentsOf(message, 'MSH')
  const today = header === undefined ? '' : (/^\d{8}/.exec(valueIn(header, { field: 7 }))?.[0] ?? '')
  const day = (text: string) => /^\d{4,8}/.exec(text)?.[0] ?? ''
  const [first, last] = [day(from), day(until)]
  if (until !== '' && (today === '' || last === '' || last < today.slice(0, last.length))) return false
  return from === '' || (first !== '' && (today === '' || first <= today.slice(0, first.length)))
}
