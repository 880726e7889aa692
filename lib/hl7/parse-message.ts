/** Splits a message in ER7, the encoding with bars. Values are not judged here; what a field means is the mapping's. */
import { decodeMessage } from './character-set.ts'
import { type Delimiters, delimitersOf, encodingCharacters } from './delimiters.ts'
import { type DecodeBytes, readEscapes } from './escapes.ts'
import { Hl7Error } from './hl7-error.ts'
import type { Field, Message, Segment } from './message.ts'

/** How a message is read. */
export interface ParseOptions {
  /** The character set of messages that name none in MSH-18; `utf-8` when left out. */
  characterSet?: string
}

/** Ends the frame of MLLP, and files that were cut out of a log of it. */
const END_OF_FRAME = '\x1c'
const NAME = /^[A-Z][A-Z0-9]{2}$/

/**
 * Reads the bytes of a message, in the character set that it names. Segments may end with CR, LF or both. A line feed that no
 * segment follows belongs to the value that it stands in. Throws `Hl7Error` for anything else than one message.
 */
export function parseMessage(bytes: Uint8Array, { characterSet: fallback = 'utf-8' }: ParseOptions = {}): Message {
  const { text: received, characterSet, decode } = decodeMessage(bytes, fallback)
  const text = withoutFrame(received)
  const delimiters = delimitersOf(text)
  const segments = linesOf(text, delimiters).map((line, index) => segmentOf(line, index + 1, delimiters, decode))
  if (segments.filter(({ name }) => name === 'MSH').length > 1)
    throw new Hl7Error('There are several messages, where one is expected.')
  return { delimiters, characterSet, segments }
}

/** A byte order mark, the start of a frame and blank lines count as white space. */
function withoutFrame(received: string): string {
  const text = received.trim()
  return text.endsWith(END_OF_FRAME) ? text.slice(0, -1) : text
}

function linesOf(text: string, { field }: Delimiters): string[] {
  const ends = text.includes('\n') ? new RegExp(`\\r\\n?|\\n(?=[A-Z][A-Z0-9]{2}\\${field})`) : '\r'
  return text.split(ends).filter((line) => line.trim() !== '')
}

function segmentOf(line: string, number: number, delimiters: Delimiters, decode: DecodeBytes): Segment {
  const [name = '', ...fields] = line.split(delimiters.field)
  if (!NAME.test(name)) throw new Hl7Error(`Line ${number} does not begin with the name of a segment.`)
  if (name !== 'MSH') return { name, fields: fields.map((field) => fieldFrom(field, delimiters, decode)) }
  const rest = fields.slice(1).map((field) => fieldFrom(field, delimiters, decode))
  return { name, fields: [[[[delimiters.field]]], [[[encodingCharacters(delimiters)]]], ...rest] }
}

function fieldFrom(text: string, delimiters: Delimiters, decode: DecodeBytes): Field {
  if (text === '') return []
  const { repetition, component, subcomponent } = delimiters
  return text
    .split(repetition)
    .map((one) =>
      one
        .split(component)
        .map((part) => part.split(subcomponent).map((value) => readEscapes(value, delimiters, decode))),
    )
}
