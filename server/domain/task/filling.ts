/** Whether what a signer filled in completes a document. Pure. spec: Resources › Task: annotations */
import { characterCount } from '../../../lib/contract/characters.ts'
import { fieldKind, MAX_FIELD_TEXT } from '../../../lib/contract/task/field-kinds.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { type CoveredCharacters, unstampableProblem } from '../../../lib/pdf/text/ink-text.ts'

/** By index into the fields of the document: the text of a field, or whether its box is checked. */
export type FilledValues = Readonly<Record<number, string | boolean>>

/** Everything that is wrong. The signature and its date are the act of signing itself and need no value. */
export function fillingProblems(fields: readonly Field[], values: FilledValues, covered: CoveredCharacters): string[] {
  const unknownFields = Object.keys(values)
    .filter((index) => fields[Number(index)] === undefined)
    .map((index) => `values[${index}]: the document has ${fields.length} fields, counted from 0`)
  return [...unknownFields, ...fields.flatMap((field, index) => fieldProblems(field, index, values[index], covered))]
}

/** The same while the signer is still filling in: nothing is required yet. */
export const draftProblems = (fields: readonly Field[], values: FilledValues, covered: CoveredCharacters): string[] =>
  fillingProblems(
    fields.map((field) => ({ ...field, required: false })),
    values,
    covered,
  )

function fieldProblems(
  { type, required, page, value }: Field,
  index: number,
  given: string | boolean | undefined,
  covered: CoveredCharacters,
): string[] {
  const wrong = (what: string) => [`values[${index}]: ${what}`]
  switch (fieldKind(type).value) {
    case 'text': {
      if (typeof given === 'boolean') return wrong('text')
      const text = given ?? value ?? ''
      if (characterCount(text) > MAX_FIELD_TEXT) return wrong(`text of at most ${MAX_FIELD_TEXT} characters`)
      const unstampable = unstampableProblem(text, covered)
      if (unstampable) return wrong(unstampable)
      return required && text.trim() === '' ? wrong(`required; the text field on page ${page}`) : []
    }
    case 'check':
      if (typeof given === 'string') return wrong('true or false')
      return required && given !== true ? wrong(`must be checked; the checkbox on page ${page}`) : []
    case 'signature':
    case 'date':
      return given === undefined ? [] : wrong('left out; it is filled in when the document is signed')
  }
}
