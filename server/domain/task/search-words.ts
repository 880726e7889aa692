/** Reads what is typed into the search field of the console, and says under which terms a patient is found. Pure. */
import type { Patient } from '../../../lib/contract/task/patient.ts'
import { foldText } from '../../../lib/name-fold.ts'

export type TermField = 'family' | 'birthDate'
export type Term = readonly [field: TermField, value: string]

/** The possible meanings of a search; each part that is given is looked for on its own. */
export interface SearchWords {
  /** The words as they were typed: an id of the sender, or the id under which an outcome was saved. */
  text: string
  taskId: number | null
  npi: string | null
  /** Null where no patient can be meant. */
  patient: PatientWords | null
}

export interface PatientWords {
  /** Family names that the words may be, folded. */
  families: readonly string[]
  /** YYYY-MM-DD */
  birthDate: string | null
  /** All words, folded: a name that is found must have each of them. */
  words: readonly string[]
}

export function readSearch(typed: string): SearchWords {
  const text = typed.trim()
  const birthDate = text.split(/[\s,]+/).flatMap((word) => dateIn(word) ?? [])[0] ?? null
  const names = text
    .split(/[\s,]+/)
    .filter((word) => word !== '' && dateIn(word) === null)
    .join(' ')
  const words = foldText(names).split(' ').filter(Boolean)
  const isName = words.length > 0 && words.every((word) => /\p{L}/u.test(word) && !/\d/.test(word))
  return {
    text,
    taskId: /^\d{1,15}$/.test(text) ? Number(text) : null,
    npi: /^\d{10}$/.test(text) ? text : null,
    patient:
      isName || (words.length === 0 && birthDate)
        ? { families: isName ? familiesOf(words, text) : [], birthDate, words: isName ? words : [] }
        : null,
  }
}

/** Returns under which terms a task with this patient is found: whole family names and their parts, and the birth date. */
export function termsOf({ names, birthDate }: Pick<Patient, 'names' | 'birthDate'>): Term[] {
  const families = names.flatMap(({ family }) => [foldText(family), ...partsOf(family)])
  return [...[...new Set(families)].filter(Boolean).map((family): Term => ['family', family]), ['birthDate', birthDate]]
}

/** Returns whether one of the names of a patient has all of the words, each at the beginning of a name. */
export function hasWords({ names }: Pick<Patient, 'names'>, words: readonly string[]): boolean {
  return names.some(({ family, given }) => {
    const parts = [family, ...given].flatMap((name) => [foldText(name), ...partsOf(name)])
    return words.every((word) => parts.some((part) => part.startsWith(word)))
  })
}

const partsOf = (name: string): string[] =>
  foldText(name)
    .split(/[\s-]+/)
    .filter((part) => part.length > 1)

/** Returns whether each word of the search is the beginning of one of the names. */
export function isNamed(names: readonly string[], search: string): boolean {
  const words = foldText(search).replaceAll(',', ' ').split(' ').filter(Boolean)
  const parts = names.flatMap(partsOf)
  return words.length > 0 && words.every((word) => parts.some((part) => part.startsWith(word)))
}

/** All words, or the first, or the last: "García Márquez", "Smith, Joan", and "Joan Smith". */
function familiesOf(words: readonly string[], text: string): string[] {
  const beforeComma = text.includes(',') ? [foldText(text.split(',')[0] ?? '')] : []
  return [...new Set([words.join(' '), ...beforeComma, words[0] ?? '', words.at(-1) ?? ''])].filter(Boolean)
}

/** Returns a calendar date in one of the usual spellings as YYYY-MM-DD, with the month first unless it cannot be one. */
function dateIn(word: string): string | null {
  const [, y1, m1, d1] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(word) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(word) ?? []
  if (y1 && m1 && d1) return calendarDate(y1, m1, d1)
  const [, a, b, y2] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(word) ?? []
  if (!a || !b || !y2) return null
  return word.includes('.')
    ? (calendarDate(y2, b, a) ?? calendarDate(y2, a, b))
    : (calendarDate(y2, a, b) ?? calendarDate(y2, b, a))
}

function calendarDate(year: string, month: string, day: string): string | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const parsed = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date) ? date : null
}
