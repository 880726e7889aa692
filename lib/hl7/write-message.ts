/** Writes a message in ER7. Pure. */
import { encodeText } from './character-set.ts'
import { encodingCharacters } from './delimiters.ts'
import { escapedWriter, escaper, rawWriter } from './escapes.ts'
import type { Field, Message, ReadSegment, Segment } from './message.ts'

/** How the values of a message are written. */
export interface WriteOptions {
  /** Whether the values have their escapes already, as they came; false by default. */
  isEscaped?: boolean
}

/** Returns the message in its character set, each segment ended by CR. Throws `Hl7Error` when the set has not all characters. */
export const writeMessage = (message: Message, options: WriteOptions = {}): Uint8Array =>
  encodeText(textOf(message, options), message.characterSet)

/**
 * Returns the message as text. What is empty at the end of a segment, a field or a component is omitted. The fields of a segment that was
 * read, and is not changed, are written as they came: an escape such as `\H\` cannot be determined from the same characters in a value.
 */
export function textOf(message: Message, { isEscaped = false }: WriteOptions = {}): string {
  const { delimiters, segments } = message
  const { field, repetition, component, subcomponent } = delimiters
  const escaped = isEscaped ? escapedWriter(delimiters) : escaper(delimiters)
  const raw = rawWriter(delimiters)
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
  const fieldsOf = (segment: Segment | ReadSegment): readonly string[] =>
    'source' in segment && isSame(segment.source, message) ? segment.texts.map(raw) : segment.fields.map(written)
  const line = (segment: Segment) =>
    segment.name === 'MSH'
      ? joined([segment.name, encodingCharacters(delimiters), ...fieldsOf(segment).slice(2)], field)
      : joined([segment.name, ...fieldsOf(segment)], field)
  return segments.map((segment) => `${line(segment)}\r`).join('')
}

type Source = ReadSegment['source']

/** Bytes in `\X…\` are those of one character set. */
const isSame = (a: Source, b: Source): boolean =>
  a.characterSet === b.characterSet &&
  a.delimiters.field === b.delimiters.field &&
  encodingCharacters(a.delimiters) === encodingCharacters(b.delimiters)
