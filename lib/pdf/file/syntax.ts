/**
 * Reads PDF values and indirect objects strictly, in one pass and within bounds. What readers take differently is a
 * `SyntaxProblem`: numbers with two signs, broken escapes, one key with two values. Follows no reference by itself.
 */
import { endOfRegular, isDigit, skipBetween, skipWhiteSpace, wholeNumberAt, wordAt } from './lexer.ts'
import {
  countOf,
  type IndirectObject,
  type Reference,
  type Span,
  SyntaxProblem,
  type Text,
  type Value,
} from './value.ts'

/** Readers end between 60 and 500; documents need 20. */
const MAX_DEPTH = 50
const NUMBER = /^[+-]?(?:\d{1,15}\.?\d{0,30}|\.\d{1,30})$/
const ESCAPE = /#([0-9A-Fa-f]{2})/g
const HEXADECIMAL = /^[0-9A-Fa-f\0\t\n\f\r ]*$/
/** ISO 32000-1, annex C. */
const MAX_NAME = 127 * 4
const MAX_OBJECT_NUMBER = 8_388_607
const MAX_GENERATION = 65_535

/** The value that begins at `from`, or after white space and comments there. */
export function parseValue(bytes: Buffer, from: number, depth = 0): Value {
  const start = skipBetween(bytes, from)
  const byte = bytes[start]
  if (depth > MAX_DEPTH) throw new SyntaxProblem('its objects are nested too deeply')
  if (byte === 0x3c) return bytes[start + 1] === 0x3c ? dictionaryAt(bytes, start, depth) : hexadecimalAt(bytes, start)
  if (byte === 0x5b) return arrayAt(bytes, start, depth)
  if (byte === 0x28) return literalAt(bytes, start)
  if (byte === 0x2f) return nameAt(bytes, start)
  if (isDigit(byte)) return referenceAt(bytes, start) ?? numberAt(bytes, start)
  if (byte === 0x2b || byte === 0x2d || byte === 0x2e) return numberAt(bytes, start)
  return keywordAt(bytes, start)
}

/**
 * The indirect object whose number is at `from`, or after white space there.
 * @param lengthOf follows the reference that a stream gives as its length; null when it leads nowhere.
 */
export function parseIndirectObject(
  bytes: Buffer,
  from: number,
  lengthOf: (reference: Reference) => number | null,
): IndirectObject {
  const start = skipWhiteSpace(bytes, from)
  const head = objectHeadAt(bytes, start)
  if (!head) throw new SyntaxProblem('no object where its cross-reference says')
  const { number, generation } = head
  const value = parseValue(bytes, head.end)
  const next = skipBetween(bytes, value.end)
  const data = wordAt(bytes, next, 'stream') === null ? null : dataAt(bytes, next + 6, value, lengthOf)
  const ending = data ? skipWhiteSpace(bytes, data.end) + 'endstream'.length : next
  const end = wordAt(bytes, skipBetween(bytes, ending), 'endobj')
  if (end === null) throw new SyntaxProblem('an object that does not end as it should')
  return { number, generation, value, data, bytes, start, end }
}

/** `5 0 obj` at exactly this place: its numbers, and where the value may begin. */
export function objectHeadAt(bytes: Buffer, at: number): { number: number; generation: number; end: number } | null {
  const number = wholeNumberAt(bytes, at)
  const generation = number && wholeNumberAt(bytes, skipWhiteSpace(bytes, number.end))
  const end = generation && wordAt(bytes, skipWhiteSpace(bytes, generation.end), 'obj')
  if (!number || !generation || !end) return null
  if (number.value > MAX_OBJECT_NUMBER || generation.value > MAX_GENERATION) return null
  return { number: number.value, generation: generation.value, end }
}

/** The length must lead to the word that ends the stream, or some readers believe the one and some the other. */
function dataAt(bytes: Buffer, from: number, value: Value, lengthOf: (reference: Reference) => number | null): Span {
  let at = from
  while (bytes[at] === 0x20) at++
  if (bytes[at] === 0x0d) at++
  if (bytes[at] !== 0x0a) throw new SyntaxProblem('a stream that does not begin on a line of its own')
  if (value.kind !== 'dictionary') throw new SyntaxProblem('a stream without a dictionary')
  const stated = value.entries.get('Length')
  const length = stated?.kind === 'reference' ? lengthOf(stated) : countOf(stated)
  const start = at + 1
  if (length === null || start + length > bytes.length) throw new SyntaxProblem('a stream without its true length')
  const end = start + length
  if (wordAt(bytes, skipWhiteSpace(bytes, end), 'endstream') === null) {
    throw new SyntaxProblem('a stream without its true length')
  }
  return { start, end }
}

function dictionaryAt(bytes: Buffer, start: number, depth: number): Value {
  const entries = new Map<string, Value>()
  let at = skipBetween(bytes, start + 2)
  while (bytes[at] !== 0x3e) {
    if (bytes[at] !== 0x2f) throw new SyntaxProblem('a dictionary with something else than a key')
    const key = nameAt(bytes, at)
    const value = parseValue(bytes, key.end, depth + 1)
    const before = entries.get(key.name)
    // Some readers take the first, some the last.
    if (before && !sameBytes(bytes, before, value)) throw new SyntaxProblem('one key with two values')
    entries.set(key.name, value)
    at = skipBetween(bytes, value.end)
  }
  if (bytes[at + 1] !== 0x3e) throw new SyntaxProblem('a dictionary that does not end')
  return { kind: 'dictionary', entries, start, end: at + 2 }
}

function arrayAt(bytes: Buffer, start: number, depth: number): Value {
  const items: Value[] = []
  let at = skipBetween(bytes, start + 1)
  while (bytes[at] !== 0x5d) {
    const value = parseValue(bytes, at, depth + 1)
    items.push(value)
    at = skipBetween(bytes, value.end)
  }
  return { kind: 'array', items, start, end: at + 1 }
}

function nameAt(bytes: Buffer, start: number): Value & { kind: 'name' } {
  const end = endOfRegular(bytes, start + 1)
  if (end - start > MAX_NAME) throw new SyntaxProblem('a name that is too long')
  const written = bytes.toString('latin1', start + 1, end)
  const name = written.includes('#') ? unescaped(written) : written
  return { kind: 'name', name, start, end }
}

/** A name that still looks escaped afterwards is unescaped a second time by some readers. */
function unescaped(written: string): string {
  const name = written.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const isClear = !written.replace(ESCAPE, '').includes('#') && name.search(ESCAPE) < 0 && !name.includes('\0')
  if (!isClear) throw new SyntaxProblem('a name that is not written as it should')
  return name
}

function literalAt(bytes: Buffer, start: number): Text {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === 0x5c) at++
    else if (byte === 0x28) depth++
    else if (byte === 0x29 && --depth === 0) return { kind: 'text', isHex: false, start, end: at + 1 }
  }
  throw new SyntaxProblem('a text that does not end')
}

/** A signature has many thousands of digits: they are searched, not walked. */
function hexadecimalAt(bytes: Buffer, start: number): Text {
  const end = bytes.indexOf('>', start, 'latin1')
  if (end < 0 || !HEXADECIMAL.test(bytes.toString('latin1', start + 1, end))) {
    throw new SyntaxProblem('a hexadecimal text with something else in it')
  }
  return { kind: 'text', isHex: true, start, end: end + 1 }
}

function referenceAt(bytes: Buffer, start: number): Reference | null {
  const number = wholeNumberAt(bytes, start)
  const generation = number && wholeNumberAt(bytes, skipBetween(bytes, number.end))
  const end = generation && wordAt(bytes, skipBetween(bytes, generation.end), 'R')
  if (!number || !generation || !end) return null
  if (number.value > MAX_OBJECT_NUMBER || generation.value > MAX_GENERATION) {
    throw new SyntaxProblem('a reference to a number that no object can have')
  }
  return { kind: 'reference', number: number.value, generation: generation.value, start, end }
}

function numberAt(bytes: Buffer, start: number): Value {
  const end = endOfRegular(bytes, start)
  const written = end - start > 48 ? '' : bytes.toString('latin1', start, end)
  if (!NUMBER.test(written)) throw new SyntaxProblem('a number that is not written as it should')
  return { kind: 'number', value: Number(written), start, end }
}

function keywordAt(bytes: Buffer, start: number): Value {
  const end = endOfRegular(bytes, start)
  const word = end - start > 5 ? '' : bytes.toString('latin1', start, end)
  if (word === 'null') return { kind: 'null', start, end }
  if (word === 'true' || word === 'false') return { kind: 'boolean', value: word === 'true', start, end }
  throw new SyntaxProblem('something that is no value where a value should be')
}

const sameBytes = (bytes: Buffer, a: Span, b: Span): boolean =>
  bytes.subarray(a.start, a.end).equals(bytes.subarray(b.start, b.end))
