/** The text of an input, cut behind the characters that a field holds. Its `maxLength` would count an emoji as two. */
import { firstCharacters } from '../../../lib/contract/characters.ts'
import { MAX_FIELD_TEXT } from '../../../lib/contract/task/field-kinds.ts'

export function limitedText(input: HTMLInputElement | HTMLTextAreaElement): string {
  const text = firstCharacters(input.value, MAX_FIELD_TEXT)
  if (text !== input.value) input.value = text
  return text
}
