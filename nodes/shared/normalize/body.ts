/** Brings the values of a create body, as other systems write them, into the form of the interface. Pure; refuses nothing. */
import { dateOf } from './date.ts'
import { namesOf } from './name.ts'
import { sexOf } from './sex.ts'

export const normalizedBody = (body: Record<string, unknown>): Record<string, unknown> => ({
  ...body,
  patient: changed(body.patient, { names: namesOf, sex: sexOf, birthDate: dateOf }),
  document: changed(body.document, { effectiveDate: dateOf }),
})

/** Returns the object with those of its fields changed that it has. */
function changed(given: unknown, changes: Record<string, (value: unknown) => unknown>): unknown {
  if (typeof given !== 'object' || given === null) return given
  const fields = Object.entries(changes).filter(([name]) => Object.hasOwn(given, name))
  return {
    ...given,
    ...Object.fromEntries(fields.map(([name, change]) => [name, change((given as Record<string, unknown>)[name])])),
  }
}

/** Other forms that are understood, for the sentence that refuses a value. */
const UNDERSTOOD: readonly (readonly [path: RegExp, also: string])[] = [
  [/^patient\.sex$/, 'F, M, U and A are understood, too'],
  [/^(patient\.birthDate|document\.effectiveDate)$/, '20260131, a timestamp or a Date is understood, too'],
  [/^patient\.names(\[\d+\](\.given)?)?$/, 'a name as one text needs the family name first: "Hart, Nora"'],
]

/** Returns the sentence that refuses a value, with what else would be understood in its place. */
export function withUnderstood(sentence: string): string {
  const path = sentence.slice(0, sentence.indexOf(': '))
  const also = UNDERSTOOD.find(([pattern]) => pattern.test(path))?.[1]
  return also === undefined ? sentence : `${sentence}; ${also}`
}
