/** Brings the values of a create body, as other systems write them, into the form of the interface. Refuses nothing. */
import { dateOf, isMoment } from './date.ts'
import { namesOf } from './name.ts'
import { sexOf } from './sex.ts'

/** @param timeZone where the days of moments are judged; null for the time zone of this machine */
export function normalizedBody(body: Record<string, unknown>, timeZone: string | null): Record<string, unknown> {
  const day = (given: unknown) => dateOf(given, timeZone)
  return {
    ...body,
    patient: changed(body.patient, { names: namesOf, sex: sexOf, birthDate: day }),
    document: changed(body.document, { effectiveDate: day }),
  }
}

/** Returns a warning for each day that was judged in the time zone of this machine, because none is set. */
export function dayWarnings(body: Record<string, unknown>, timeZone: string | null): string[] {
  if (timeZone !== null) return []
  const days = [
    ['patient.birthDate', (body.patient as Record<string, unknown> | undefined)?.birthDate],
    ['document.effectiveDate', (body.document as Record<string, unknown> | undefined)?.effectiveDate],
  ]
  const { timeZone: here } = new Intl.DateTimeFormat().resolvedOptions()
  return days
    .filter(([, given]) => isMoment(given))
    .map(
      ([field]) =>
        `${field}: the day of a moment was judged in ${here}, the time zone of this machine; set Time zone in the signature service`,
    )
}

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
  [/^(patient\.birthDate|document\.effectiveDate)$/, '20260131, a timestamp or a Date is also accepted'],
  [/^patient\.names(\[\d+\](\.given)?)?$/, 'a name as one text needs the family name first: "Hart, Nora"'],
]

/** Returns the sentence that refuses a value, with what else would be understood in its place. */
export function withUnderstood(sentence: string): string {
  const path = sentence.slice(0, sentence.indexOf(': '))
  const also = UNDERSTOOD.find(([pattern]) => pattern.test(path))?.[1]
  return also === undefined ? sentence : `${sentence}; ${also}`
}
