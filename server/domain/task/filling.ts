/** Whether what a signer filled in completes a document. Pure. spec: Resources › Task: annotations */
import { characterCount } from '../../../lib/contract/characters.ts'
import { fieldKind, MAX_FIELD_TEXT } from '../../../lib/contract/task/field-kinds.ts'
import { fieldNames, sentenceAt } from '../../../lib/pdf/placement/field-names.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { type CoveredCharacters, CROWDED_PROBLEM, unstampableProblem } from '../../../lib/pdf/text/ink-text.ts'
import { Refusal } from '../refusal.ts'

/** Values by index into the fields of the document: the text of a field, or whether its box is checked. */
export type FilledValues = Readonly<Record<number, string | boolean>>

interface Problem {
  /** The index among the fields of the document. */
  index: number
  what: string
  /** Which field it is, where a caller may not know by its index. */
  which?: string
}

/** Everything that is wrong. The signature and its date are the act of signing itself and need no value. */
export const fillingProblems = (fields: readonly Field[], values: FilledValues, covered: CoveredCharacters): string[] =>
  problemsOf(fields, values, covered).map(inMembers)

const inMembers = ({ index, what, which }: Problem) => `values[${index}]: ${which ? `${what}; ${which}` : what}`

/** The same for the signer, who knows the fields by their names. */
function sentencesOf(problems: readonly Problem[], fields: readonly Field[]): string[] {
  const names = fieldNames(fields)
  return problems.map(({ index, what }) => {
    const field = fields[index]
    return field ? sentenceAt(names[index]!, field, what) : `This document has only ${fields.length} fields.`
  })
}

function problemsOf(fields: readonly Field[], values: FilledValues, covered: CoveredCharacters): Problem[] {
  const unknownFields = Object.keys(values)
    .map(Number)
    .filter((index) => fields[index] === undefined)
    .map((index) => ({ index, what: `the document has ${fields.length} fields, counted from 0` }))
  return [...unknownFields, ...fields.flatMap((field, index) => fieldProblems(field, index, values[index], covered))]
}

/**
 * Refuses what does not complete the document.
 * @param further what else is wrong with it, as sentences that anyone understands
 */
export function checkFilled(
  fields: readonly Field[],
  values: FilledValues,
  covered: CoveredCharacters,
  further: readonly string[],
): void {
  const problems = problemsOf(fields, values, covered)
  if (problems.length + further.length > 0) throw refusalOf(problems, fields, further)
}

/** Texts that are too long for their boxes, which only the drawing of the ink finds out. */
export const crowdedTexts = (fields: readonly Field[], indexes: readonly number[]): Refusal =>
  refusalOf(
    indexes.map((index) => ({ index, what: CROWDED_PROBLEM })),
    fields,
  )

const refusalOf = (problems: readonly Problem[], fields: readonly Field[], further: readonly string[] = []) =>
  new Refusal('invalid', ...problems.map(inMembers), ...further).inPlainWords(
    ...sentencesOf(problems, fields),
    ...further,
  )

/** The same while the signer is still filling in: nothing is required yet. */
export const checkDraft = (
  fields: readonly Field[],
  values: FilledValues,
  covered: CoveredCharacters,
  further: readonly string[],
): void =>
  checkFilled(
    fields.map((field) => ({ ...field, required: false })),
    values,
    covered,
    further,
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
