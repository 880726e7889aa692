/** Whether what a signer filled in completes a document. Pure. spec: Resources › Task: annotations */
import { characterCount } from '../../../lib/contract/characters.ts'
import { fieldKind, MAX_FIELD_TEXT } from '../../../lib/contract/task/field-kinds.ts'
import { fieldNames } from '../../../lib/pdf/placement/field-names.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { type CoveredCharacters, unstampableProblem } from '../../../lib/pdf/text/ink-text.ts'
import { Refusal } from '../refusal.ts'

/** By index into the fields of the document: the text of a field, or whether its box is checked. */
export type FilledValues = Readonly<Record<number, string | boolean>>

/** The fields of the document, what they were filled in with, and the characters that can be stamped. */
type Filled = [fields: readonly Field[], values: FilledValues, covered: CoveredCharacters]

interface Problem {
  /** Of the field among those of the document. */
  index: number
  what: string
  /** Which field it is, where a caller may not know by its index. */
  which?: string
}

/** Everything that is wrong. The signature and its date are the act of signing itself and need no value. */
export const fillingProblems = (...filled: Filled): string[] =>
  problemsOf(...filled).map(({ index, what, which }) => `values[${index}]: ${which ? `${what}; ${which}` : what}`)

/** The same for the signer, who knows the fields by their names. */
function fillingSentences(...filled: Filled): string[] {
  const [fields] = filled
  const names = fieldNames(fields)
  return problemsOf(...filled).map(({ index, what }) => {
    const field = fields[index]
    return field ? `${names[index]} on page ${field.page}: ${what}.` : `This document has only ${fields.length} fields.`
  })
}

function problemsOf(...[fields, values, covered]: Filled): Problem[] {
  const unknownFields = Object.keys(values)
    .map(Number)
    .filter((index) => fields[index] === undefined)
    .map((index) => ({ index, what: `the document has ${fields.length} fields, counted from 0` }))
  return [...unknownFields, ...fields.flatMap((field, index) => fieldProblems(field, index, values[index], covered))]
}

/** Refuses what does not complete the document. */
export function checkFilled(...filled: Filled): void {
  const problems = fillingProblems(...filled)
  if (problems.length > 0) throw new Refusal('invalid', ...problems).inPlainWords(...fillingSentences(...filled))
}

/** The same while the signer is still filling in: nothing is required yet. */
export const checkDraft = (...[fields, values, covered]: Filled): void =>
  checkFilled(
    fields.map((field) => ({ ...field, required: false })),
    values,
    covered,
  )

function fieldProblems(
  { type, required, page, value }: Field,
  index: number,
  given: string | boolean | undefined,
  covered: CoveredCharacters,
): Problem[] {
  const wrong = (what: string, which?: string) => [{ index, what, ...(which && { which }) }]
  switch (fieldKind(type).value) {
    case 'text': {
      if (typeof given === 'boolean') return wrong('text')
      const text = given ?? value ?? ''
      if (characterCount(text) > MAX_FIELD_TEXT) return wrong(`text of at most ${MAX_FIELD_TEXT} characters`)
      const unstampable = unstampableProblem(text, covered)
      if (unstampable) return wrong(unstampable)
      return required && text.trim() === '' ? wrong('required', `the text field on page ${page}`) : []
    }
    case 'check':
      if (typeof given === 'string') return wrong('true or false')
      return required && given !== true ? wrong('must be checked', `the checkbox on page ${page}`) : []
    case 'signature':
    case 'date':
      return given === undefined ? [] : wrong('left out; it is filled in when the document is signed')
  }
}
