/** Which bytes are which characters: by MSH-18 (table 0211), and never by guessing. */
import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import type { DecodeBytes } from './escapes.ts'
import { CharacterSetError, Hl7Error } from './hl7-error.ts'
import { HL7_LIMITS, tooMany } from './limits.ts'

/** Names of table 0211 that iconv-lite does not know. */
const names: Readonly<Record<string, string>> = {
  ASCII: 'ascii',
  'ISO IR6': 'ascii',
  'ISO IR14': 'shift_jis',
  'ISO IR87': 'iso-2022-jp',
  'GB 18030-2000': 'gb18030',
  'KS X 1001': 'euc-kr',
  'BIG-5': 'big5',
  UNICODE: 'utf-8',
  'UNICODE UTF-8': 'utf-8',
}

export interface Decoded {
  text: string
  /** The name that iconv-lite has for it. */
  characterSet: string
  /** Reads further bytes of the same message. */
  decode: DecodeBytes
}

/**
 * Returns the text of a message in the character set of its MSH-18, or in `fallback` when that is empty. Throws `Hl7Error` when
 * the set is not known, or when the bytes are not of it: a name that is read wrongly is another patient's.
 */
export function decodeMessage(bytes: Uint8Array, fallback: string, isNamedIgnored = false): Decoded {
  const named = isNamedIgnored ? '' : namedSet(bytes)
  const characterSet = characterSetOf(named || fallback)
  const decode = decoder(characterSet, named !== '')
  return { text: decode(bytes), characterSet, decode }
}

/**
 * Returns the bytes of a message that is text already, in the character set that its MSH-18 names, or in `fallback` when that is
 * empty. Throws `Hl7Error` when the set is not known, or has not all characters of the text.
 */
export function encodeMessage(text: string, fallback: string): Uint8Array {
  return encodeText(text, characterSetOf(namedSet(Buffer.from(text)) || fallback))
}

/** Returns the bytes of a text in a character set, as `parseMessage` names it. Throws `Hl7Error` when it has not all characters. */
export function encodeText(text: string, characterSet: string): Uint8Array {
  const bytes = iconv.encode(text, characterSet)
  if (iconv.decode(bytes, characterSet, { stripBOM: false }) !== text)
    throw new Hl7Error('The message has characters that the character set of its receiver does not.')
  return bytes
}

/** Returns a text with `?` for each character that the set does not have. For what people read, and never for names or ids. */
export const fittedTo = (characterSet: string, text: string): string =>
  iconv.decode(iconv.encode(text, characterSet), characterSet, { stripBOM: false })

/**
 * Returns the set that a message is probably in, where its MSH-18 names another one; null where nothing contradicts it. Letters of
 * another set are hardly ever UTF-8 by chance, and the sets of 8859 have control characters where those of Windows have letters. The
 * bytes of `\X…\` are judged by themselves: a sender may write the letters of another system so.
 */
export function likelySet(bytes: Uint8Array): 'UTF-8' | 'Windows-1252' | null {
  const set = setFor(namedSet(bytes)) ?? ''
  if (set === '' || /^(?:utf|(?:us-)?ascii|iso-?2022)/.test(set)) return null
  const isOf8859 = /8859|latin|^l\d+$|iso[ _-]?ir/.test(set)
  // Two bytes of a set of many characters are often UTF-8 by chance.
  const isOfOneByte = isOf8859 || /^(?:windows-?|cp)125/.test(set)
  let isOfWindows = false
  for (const letters of isOfOneByte ? withEscaped(bytes) : [bytes]) {
    if (isAscii(letters)) continue
    if (isUtf8(letters)) return 'UTF-8'
    isOfWindows ||= isOf8859 && letters.some((byte) => byte >= 0x80 && byte < 0xa0)
  }
  return isOfWindows ? 'Windows-1252' : null
}

/**
 * Yields the bytes, then those of each escape in hexadecimal digits, together with those of the escapes that follow it at once. Throws
 * `Hl7Error` when there are more than are read.
 */
function* withEscaped(bytes: Uint8Array): Generator<Uint8Array, void> {
  yield bytes
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { escapeCharacter: mark } = encodingOf(whole)
  const opening = Buffer.from(`${mark}X`, 'latin1')
  let together: Buffer[] = []
  let from = -1
  let count = 0
  // A regular expression would need memory for each digit.
  for (let at = whole.indexOf(opening); at >= 0; at = whole.indexOf(opening, from)) {
    if (++count > HL7_LIMITS.escapes) throw tooMany('The message', 'escapes')
    const end = whole.indexOf(opening[0]!, at + 2)
    if (end < 0) break
    const digits = whole.toString('latin1', at + 2, end)
    const escaped = Buffer.from(digits, 'hex')
    const isEscape = escaped.length > 0 && escaped.length * 2 === digits.length
    if (at !== from && together.length > 0) {
      yield Buffer.concat(together)
      together = []
    }
    if (isEscape) together.push(escaped)
    // What ends no escape may begin the next one.
    from = isEscape ? end + 1 : end
  }
  if (together.length > 0) yield Buffer.concat(together)
}

function characterSetOf(name: string): string {
  const characterSet = setFor(name)
  if (characterSet === null)
    throw new CharacterSetError('MSH-18 names a character set that cannot be read. Let the sender use UNICODE UTF-8.')
  return characterSet
}

/** Returns the name that iconv-lite has for a set of table 0211, or for one by its usual name; null when it has none. */
export function setFor(name: string): string | null {
  const known =
    names[name.trim().toUpperCase()] ??
    name
      .trim()
      .replace(/^8859\//, 'iso-8859-')
      .toLowerCase()
  return iconv.encodingExists(known) && !/utf-?(16|32)|ucs-?2|base64|hex|utf-?7/.test(known) ? known : null
}

/** MSH-18 itself is in ASCII; its first repetition is the set of the message. */
function namedSet(bytes: Uint8Array): string {
  const { fields, repetition } = encodingOf(bytes)
  const [set = ''] = (fields[15] ?? '').split(repetition)
  return set.trim()
}

/** Returns the fields of MSH from MSH-3 on, and the characters that MSH-2 names. */
function encodingOf(bytes: Uint8Array) {
  const header = Buffer.from(bytes.subarray(0, 4096))
    .toString('latin1')
    .trimStart()
    .replace(/^[^M]*MSH/, 'MSH')
  const [line = ''] = header.split(/[\r\n]/)
  const [, encoding = '', ...fields] = line.split(line[3] ?? '|')
  return { fields, repetition: encoding[1] ?? '~', escapeCharacter: encoding[2] ?? '\\' }
}

function decoder(characterSet: string, isNamed: boolean): DecodeBytes {
  const refuse = (): never => {
    throw new CharacterSetError(
      isNamed
        ? `The message is not in ${characterSet}, which its MSH-18 names.`
        : `The message names no character set in MSH-18, and is not in ${characterSet}. Let the sender name it, or set another.`,
    )
  }
  return (bytes) => {
    const text = textIn(bytes, characterSet)
    return text === null ? refuse() : text
  }
}

/** Returns the text of bytes in a set, as `setFor` names it; null when they are not of the set. Node.js reads the usual sets with one copy, which counts for large documents. */
export function textIn(given: Uint8Array, characterSet: string): string | null {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (characterSet === 'ascii') return isAscii(bytes) ? bytes.toString('latin1') : null
  if (characterSet === 'iso-8859-1') return bytes.toString('latin1')
  if (/^utf-?8$/.test(characterSet)) return isUtf8(bytes) ? bytes.toString() : null
  const text = iconv.decode(bytes, characterSet)
  return text.includes('\ufffd') ? null : text
}
