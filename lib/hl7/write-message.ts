/** Writes a message in ER7. Pure. */
import { encodeText } from './character-set.ts'
import { encodingCharacters } from './delimiters.ts'
import { escaper } from './escapes.ts'
import type { Field, Message, Segment } from './message.ts'

/** Returns the message in its character set, each segment ended by CR. Throws `Hl7Error` when the set has not all characters. */
export const writeMessage = (message: Message): Uint8Array => encodeText(textOf(message), message.characterSet)

/** Returns the message as text. What is empty at the end of a segment, a field or a component is left out. */
export function textOf({ delimiters, segments }: Message): string {
  const { field, repetition, component, subcomponent } = delimiters
  const escaped = escaper(delimiters)
  const joined = (parts: readonly string[], delimiter: string) => {
    const last = parts.findLastIndex((part) => part !== '')
    return parts.slice(0, last + 1).join(delimiter)
  }
  const written = (value: Field) =>
    joined(
      value.map((one) =>
        joined(
          one.map((part) => joined(part.map(escaped), subcomponent)),
          component,
        ),
      ),
      repetition,
    )
  const line = ({ name, fields }: Segment) =>
    name === 'MSH'
      ? joined([name, encodingCharacters(delimiters), ...fields.slice(2).map(written)], field)
      : joined([name, ...fields.map(written)], field)
  return segments.map((segment) => `${line(segment)}\r`).join('')
}
