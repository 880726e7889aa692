/** Reads a message in ER7, the encoding with bars. Values are not judged here; what a field means is the mapping's. */
import { decodeMessage } from './character-set.ts'
import { delimitersOf } from './delimiters.ts'
import { Hl7Error } from './hl7-error.ts'
import { HL7_LIMITS, tooMany } from './limits.ts'
import type { ReadMessage } from './message.ts'
import { createSegmentReader } from './read-segment.ts'

/** How a message is read. */
export interface ParseOptions {
  /** The character set of messages that name none in MSH-18; `utf-8` by default. */
  characterSet?: string
  /** Whether the message is in `characterSet`, whatever its MSH-18 says. */
  isNamedIgnored?: boolean
}

const NAME = /^[A-Z][A-Z0-9]{2}$/

/**
 * Reads the bytes of a message, in the character set that it names. Segments may end with CR, LF or both. A line break that
 * no segment follows belongs to the value that contains it. Finds only where segments begin; a field is split when it is asked for.
 * Throws `Hl7Error` for anything else than one message.
 */
export function parseMessage(
  bytes: Uint8Array,
  { characterSet: fallback = 'utf-8', isNamedIgnored }: ParseOptions = {},
): ReadMessage {
  const { text: received, characterSet, decode } = decodeMessage(bytes, fallback, isNamedIgnored)
  const text = withoutFrame(received)
  const delimiters = delimitersOf(text)
  const segmentAt = createSegmentReader(text, { delimiters, characterSet }, decode)
  const segments = checkedLines(text).map(({ start, end }) => segmentAt(text.slice(start, start + 3), start, end))
  return { delimiters, characterSet, segments }
}

/**
 * Reads the header of a message alone, whatever follows it, and at a cost that does not grow with the message. Throws `Hl7Error` when
 * the header cannot be read.
 */
export const parseHeader = (bytes: Uint8Array, options: ParseOptions = {}): ReadMessage =>
  parseMessage(headerIn(bytes), options)

/**
 * Throws `Hl7Error` where `parseMessage` would because of a line, without reading any value. Ends of segments, names and delimiters
 * are ASCII in every character set that a frame can hold, so the bytes need not be decoded.
 */
export function checkSegments(bytes: Uint8Array): void {
  const inner = bytesWithoutFrame(bytes)
  checkedLines(Buffer.from(inner.buffer, inner.byteOffset, inner.byteLength).toString('latin1'))
}

/** U+FEFF in UTF-8, each byte read as a character. */
const BYTE_ORDER_MARK = '\xef\xbb\xbf'

function headerIn(bytes: Uint8Array): Uint8Array {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HL7_LIMITS.headerBytes))
  const text = beginning.toString('latin1')
  const start = Math.max(0, text.indexOf('MSH'))
  const { value } = linesOf(text.slice(start), text[start + 3] ?? '').next()
  const end = start + (value?.end ?? 0)
  if (end >= HL7_LIMITS.headerBytes) throw tooMany('MSH', 'headerBytes')
  const hasMark = text.slice(0, start).trim() === BYTE_ORDER_MARK
  return beginning.subarray(hasMark ? start : 0, end)
}

/**
 * Returns the text without what is around it and belongs to no value: a byte order mark, blank lines, and control characters such as those
 * of a frame, the end of a file of DOS (Ctrl-Z), or zeros that fill a block. Blanks at the end of the last value belong to it.
 */
function withoutFrame(text: string): string {
  let start = 0
  while (isPadding(text.charCodeAt(start))) start += 1
  let end = text.length
  while (end > start && isPadding(text.charCodeAt(end - 1))) end -= 1
  while (text[end] === ' ') end += 1
  return text.slice(start, end)
}

/**
 * Returns the same of bytes, but with no more than a few blanks at the end, as no line ends differently with more. V8 takes several
 * times as long to look at each character of a long text; these are looked at by fours.
 */
function bytesWithoutFrame(bytes: Uint8Array): Uint8Array {
  const { buffer, byteOffset } = bytes
  const words = new Int32Array(buffer, 0, Math.floor(buffer.byteLength / 4))
  let start = 0
  for (;;) {
    const at = byteOffset + start
    if (at % 4 === 0 && start + 4 <= bytes.length && isPaddingWord(words[at / 4]!)) start += 4
    else if (start < bytes.length && isPadding(bytes[start]!)) start += 1
    else if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) start += 3
    else break
  }
  let end = bytes.length
  while (end > start && isPadding(bytes[end - 1]!)) {
    const at = byteOffset + end
    end -= at % 4 === 0 && end - 4 >= start && isPaddingWord(words[at / 4 - 1]!) ? 4 : 1
  }
  for (let blanks = 0; blanks < 16 && bytes[end] === 0x20; blanks++) end += 1
  return bytes.subarray(start, end)
}

/** Whether each of four bytes is at most 0x20: adding 0x5f then leaves its highest bit 0. */
const isPaddingWord = (word: number): boolean => ((((word & 0x7f7f7f7f) + 0x5f5f5f5f) | word) & 0x80808080) === 0

const isPadding = (code: number): boolean => code <= 0x20 || code === 0x7f || code === 0xfeff

/**
 * Returns where each segment is. A line that does not begin like a segment continues the one before, whose value a line break has cut.
 * Throws `Hl7Error` when the first line is not a segment, and for a second header.
 */
function checkedLines(text: string): Line[] {
  const { field } = delimitersOf(text)
  const found: Line[] = []
  let count = 0
  let content = -1
  /** In one pass over the text: a line is blank when what is next after its start comes after its end. */
  const isBlank = ({ start, end }: Line) => {
    if (content < start) {
      CONTENT.lastIndex = start
      content = CONTENT.exec(text)?.index ?? text.length
    }
    return content >= end
  }
  for (const line of linesOf(text, field)) {
    if (++count > HL7_LIMITS.segments) throw tooMany('The message', 'segments')
    if (!isSegment(text, line, field)) {
      if (isBlank(line)) continue
      const before = found.at(-1)
      if (before === undefined) throw new Hl7Error('The first line does not begin with the name of a segment.')
      before.end = line.end
      continue
    }
    if (found.length > 0 && text.startsWith('MSH', line.start))
      throw new Hl7Error('There are several messages, where one is expected.')
    found.push(line)
  }
  return found
}

/** A character that is no padding. */
const CONTENT = /[^\0-\x20\x7f\ufeff]/g

const isSegment = (text: string, { start, end }: Line, field: string): boolean =>
  NAME.test(text.slice(start, Math.min(end, start + 3))) && (end === start + 3 || text[start + 3] === field)

interface Line {
  start: number
  end: number
}

/** Yields each line, in one pass over the text. */
function* linesOf(text: string, field: string): Generator<Line, void> {
  let start = 0
  let ofReturn = text.indexOf('\r')
  const feedFrom = feedsIn(text, field)
  let ofFeed = feedFrom(0)
  for (;;) {
    const end = ofReturn < 0 || (ofFeed >= 0 && ofFeed < ofReturn) ? ofFeed : ofReturn
    if (end < 0) break
    yield { start, end }
    start = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1)
    if (ofReturn >= 0 && ofReturn < start) ofReturn = text.indexOf('\r', start)
    if (ofFeed >= 0 && ofFeed < start) ofFeed = feedFrom(start)
  }
  yield { start, end: text.length }
}

/** Returns a function that finds the next line feed that a segment follows; others belong to the value that contains them. */
function feedsIn(text: string, field: string): (from: number) => number {
  const code = field.charCodeAt(0)
  if (Number.isNaN(code)) return () => -1
  // Of fixed length and without a lookahead, so that most characters are passed over.
  const pattern = new RegExp(`\\n[A-Z][A-Z0-9]{2}\\u${code.toString(16).padStart(4, '0')}`, 'g')
  return (from) => {
    // Quick where there is none at all.
    const first = text.indexOf('\n', from)
    if (first < 0) return -1
    pattern.lastIndex = first
    return pattern.exec(text)?.index ?? -1
  }
}
