/** Texts that are too long for their boxes: the signer's own are refused. Pure. choice: Long texts in ink */

import { CROWDED_PROBLEM } from '../text/ink-text.ts'
import { fieldNames, sentenceAt } from './field-names.ts'
import type { Field } from './placement.ts'

type Given = Readonly<Record<number, string | boolean>>

/**
 * Returns those of the crowded fields that the signer has filled in. What the sender wrote is the sender's to answer for.
 *
 * @param crowded indexes of fields whose texts are too long to be read in their boxes
 * @param values what the signer gave, by index of the field
 */
export const crowdedBySigner = (crowded: readonly number[], fields: readonly Pick<Field, 'value'>[], values: Given) =>
  crowded.filter((index) => isOwn(fields[index]!, values[index]))

/** Returns what the signer is told, a sentence for each of the fields. */
export function crowdedSentences(crowded: readonly number[], fields: readonly Pick<Field, 'type' | 'page' | 'box'>[]) {
  const names = fieldNames(fields)
  return crowded.map((index) => sentenceAt(names[index]!, fields[index]!, CROWDED_PROBLEM))
}

const isOwn = ({ value }: Pick<Field, 'value'>, given: string | boolean | undefined): boolean =>
  given !== undefined && given !== (value ?? '')
