/** Holds a text that is typed to the length of a field. `maxLength` would not do: it counts an emoji as two characters. */
import { firstCharacters } from '../../../../lib/contract/characters.ts'
import { MAX_FIELD_TEXT } from '../../../../lib/contract/task/field-kinds.ts'

/** Returns the text of the input, which is cut where it is longer than a field holds. */
export function limitedText(input: HTMLInputElement | HTMLTextAreaElement): string {
  const text = firstCharacters(input.value, MAX_FIELD_TEXT)
  if (text !== input.value) input.value = text
  return text
}
