/** Writes a message in ER7. Pure. */
import { encodeText } from './character-set.ts'
import { encodingCharacters } from './delimiters.ts'
import { escapedWriter, escaper } from './escapes.ts'
import type { Field, Message, Segment } from './message.ts'

/** How the values of a message are written. */
export interface WriteOptions {
  /** Whether the values have their escapes already, as they came; false by default. */
  isEscaped?: boolean
}

/** Returns the message in its character set, each segment ended by CR. Throws `Hl7Error` when the set has not all characters. */
export const writeMessage = (message: Message, options: WriteOptions = {}): Uint8Array =>
  encodeText(textOf(message, options), message.characterSet)

/** Returns the message as text. What is empty at the end of a segment, a field or a component is omitted. */
export function textOf({ delimiters, segments }: Message, { isEscaped = false }: WriteOptions = {}): string {
  const { field, repetition, component, subcomponent } = delimiters
  const escaped = isEscaped ? escapedWriter(delimiters) : escaper(delimiters)
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
