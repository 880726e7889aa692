/**
 * A held payload as text that a person can correct, and back: HL7 in its character set with a line for each segment, or JSON. Long
 * runs of Base64, such as documents, are shown as marks and kept. Pure.
 */
import { isUtf8 } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import { readJson } from '../../../lib/client/answers/read-json.ts'
import { decodeMessage, encodeMessage } from '../../../lib/hl7/character-set.ts'
import { Hl7Error } from '../../../lib/hl7/hl7-error.ts'
import { InputError } from '../runtime/failures.ts'

/** Returns the text. Throws an InputError for a payload that is neither text, nor bytes, nor JSON. */
export const textOf = (payload: unknown): string => withMarks(lines(whole(payload).text))

/** Returns the JSON of an object with this text, in UTF-8. */
export function textInJson(payload: unknown): Uint8Array {
  const text = textOf(payload)
  const parts: Buffer[] = []
  // JSON may have six characters for one, for which the thread would have no room.
  for (let at = 0; at < text.length; at += PART)
    parts.push(Buffer.from(JSON.stringify(text.slice(at, at + PART)).slice(1, -1)))
  return Buffer.concat([Buffer.from('{"text":"'), ...parts, Buffer.from('"}')])
}

/** In characters. */
const PART = 1024 * 1024

/**
 * Returns the payload that the corrected text represents: of the same kind as `kept`, which the text was made of, and with its
 * documents. Throws an InputError for a mark that belongs to no document of it, and for a text that is not of this kind.
 */
export function payloadOf(corrected: string, kept: unknown): unknown {
  const { text, back } = whole(kept)
  return back(withEnds(withoutMarks(corrected, lines(text)), endOf(text)))
}

interface Whole {
  text: string
  back: (text: string) => unknown
}

function whole(payload: unknown): Whole {
  if (typeof payload === 'string') return { text: payload, back: (text) => text }
  if (Buffer.isBuffer(payload)) return wholeOfBytes(payload)
  const json = typeof payload === 'object' ? jsonOf(payload) : undefined
  if (json === undefined)
    throw new InputError(['payload: neither text nor JSON, so it can be corrected by a message with msg.payload alone'])
  return { text: levelsOf(json) > MOST_LEVELS ? json : JSON.stringify(payload, null, 2), back: asJson }
}

/** Returns undefined for a value that JSON does not represent, or that is nested too deeply to say so. */
function jsonOf(payload: unknown): string | undefined {
  try {
    const json = JSON.stringify(payload)
    return isDeepStrictEqual(readJson(json), payload) ? json : undefined
  } catch {
    return undefined
  }
}

/** With more, a line would be more indentation than text: 5 MB can become more than the memory has room for. */
const MOST_LEVELS = 100

/** Returns how many brackets are open at once; those in texts count as well, which matters little. */
function levelsOf(json: string): number {
  let levels = 0
  let most = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    // 0x5B and 0x7B open a list and an object, 0x5D and 0x7D close them.
    if (code === 0x5b || code === 0x7b) most = Math.max(most, ++levels)
    else if (code === 0x5d || code === 0x7d) levels -= 1
  }
  return most
}

/** Bytes that are not of the set that the message names are shown as UTF-8 where they are valid, else as Latin-1, a character for each. */
function wholeOfBytes(bytes: Buffer): Whole {
  try {
    const { text, characterSet } = decodeMessage(bytes, 'utf-8')
    return { text, back: (corrected) => bytesOf(corrected, characterSet) }
  } catch (failure) {
    if (!(failure instanceof Hl7Error)) throw failure
    const [encoding, characterSet] = isUtf8(bytes) ? (['utf8', 'utf-8'] as const) : (['latin1', 'iso-8859-1'] as const)
    return { text: bytes.toString(encoding), back: (corrected) => bytesOf(corrected, characterSet) }
  }
}

function bytesOf(text: string, characterSet: string): Buffer {
  try {
    return Buffer.from(encodeMessage(text, characterSet))
  } catch (failure) {
    if (!(failure instanceof Hl7Error)) throw failure
    throw new InputError([
      'payload: MSH-18 names a character set that is not known, or that lacks characters of the text',
    ])
  }
}

function asJson(text: string): unknown {
  const value = readJson(text)
  if (typeof value === 'object' && value !== null) return value
  throw new InputError(['payload: not JSON any more; see that brackets, commas and quotes match'])
}

type End = '\r\n' | '\r' | '\n'
const endOf = (text: string): End => (text.includes('\r\n') ? '\r\n' : text.includes('\r') ? '\r' : '\n')

/** Represents a line feed that ends no segment, where CR does. */
const LINE_FEED = '␊'

const lines = (text: string): string =>
  endOf(text) === '\n'
    ? text
    : inParts(text, (part, codes) => {
        let length = 0
        for (let at = 0; at < part.length; at++) {
          const code = part.charCodeAt(at)
          if (code === CR && part.charCodeAt(at + 1) === LF) at += 1
          codes[length++] = code === CR ? LF : code === LF ? LINE_FEED.charCodeAt(0) : code
        }
        return length
      })

const withEnds = (text: string, end: End): string =>
  end === '\n'
    ? text
    : inParts(text, (part, codes) => {
        let length = 0
        for (let at = 0; at < part.length; at++) {
          const code = part.charCodeAt(at)
          if (code === LF) for (let of = 0; of < end.length; of++) codes[length++] = end.charCodeAt(of)
          else codes[length++] = code === LINE_FEED.charCodeAt(0) ? LF : code
        }
        return length
      })

const CR = 0x0d
const LF = 0x0a

/**
 * Changes a text in parts, of which none ends within CR LF. Replacing by a regular expression lists all matches in memory first, and a
 * thread that has no room for the line ends of 32 MB ends the process.
 * @param change writes the codes of a part's characters, up to two for one, and returns how many
 */
function inParts(text: string, change: (part: string, codes: Uint16Array) => number): string {
  const codes = new Uint16Array(2 * (PART + 1))
  let changed = ''
  for (let at = 0; at < text.length; ) {
    const end = at + PART
    const next = text[end - 1] === '\r' && text[end] === '\n' ? end + 1 : end
    const written = codes.subarray(0, change(text.slice(at, next), codes))
    // One byte for a character where that is enough.
    changed += written.some((code) => code > 0xff)
      ? Buffer.from(written.buffer, 0, written.byteLength).toString('utf16le')
      : Buffer.from(written).toString('latin1')
    at = next
  }
  return changed
}

/** Longer than any value that a person reads or writes. It is looked for at the beginning of a run alone, however many are shorter. */
const DOCUMENT = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{1000,}/g
const MARK = /⟦(\d+): (\d+)⟧/g

/** A text that has the bracket of a mark itself is shown whole. */
const hasMarks = (text: string): boolean => !text.includes('⟦')

function withMarks(text: string): string {
  let count = 0
  return hasMarks(text) ? text.replace(DOCUMENT, ({ length }) => `⟦${++count}: ${length}⟧`) : text
}

function withoutMarks(corrected: string, shown: string): string {
  if (!hasMarks(shown)) return corrected
  const documents = shown.match(DOCUMENT) ?? []
  return corrected.replace(MARK, (_, number, length) => {
    const document = documents[Number(number) - 1]
    if (document?.length === Number(length)) return document
    throw new InputError([`payload: there is no document ⟦${number}: ${length}⟧ in it; open the message again`])
  })
}
