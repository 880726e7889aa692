/** Reads one section of a cross-reference: a table with its trailer, or a stream. Follows no chain. */
import { isWhiteSpace, skipWhiteSpace, wholeNumberAt, wordAt } from './lexer.ts'
import { unpack } from './stream-data.ts'
import { parseIndirectObject, parseValue } from './syntax.ts'
import { countOf, type Dictionary, entryOf, nameOf, SyntaxProblem, type Value } from './value.ts'

/** Where an object lies. Offsets count from the header. */
export type Place =
  | { kind: 'free' }
  | { kind: 'plain'; offset: number; generation: number }
  | { kind: 'packed'; stream: number; index: number }

export interface Section {
  /** Where it begins in the file. */
  offset: number
  /** Where it ends: after the trailer's dictionary, or after `endobj`. */
  end: number
  isStream: boolean
  /** Whether it has the form to the byte, so that no reader thinks of repairing it. */
  isExact: boolean
  /** The trailer, or the dictionary of the stream. */
  trailer: Dictionary
  places: ReadonlyMap<number, Place>
}

const MAX_OBJECTS = 1_000_000
const WANT = 'a cross-reference that is not written as it should'

/** @param cap what a cross-reference stream may expand to, in bytes. */
export function readSection(pdf: Buffer, offset: number, cap: number): Section {
  const start = skipWhiteSpace(pdf, offset)
  const table = wordAt(pdf, start, 'xref')
  return table === null ? readStream(pdf, start, cap) : readTable(pdf, start, table)
}

function readTable(pdf: Buffer, offset: number, from: number): Section {
  const places = new Map<number, Place>()
  let at = skipWhiteSpace(pdf, from)
  let isExact = true
  let trailer = wordAt(pdf, at, 'trailer')
  while (trailer === null) {
    const first = wholeNumberAt(pdf, at)
    const count = first && wholeNumberAt(pdf, skipWhiteSpace(pdf, first.end))
    if (!first || !count || first.value + count.value > MAX_OBJECTS) throw new SyntaxProblem(WANT)
    at = skipWhiteSpace(pdf, count.end)
    for (let i = 0; i < count.value; i++) {
      const row = rowAt(pdf, at)
      // A reader takes such a table as one that was numbered from 0.
      if (first.value === 1 && i === 0 && row.place.kind === 'free') throw new SyntaxProblem(WANT)
      add(places, first.value + i, row.place)
      const isLast = i === count.value - 1
      at = skipWhiteSpace(pdf, row.end)
      isExact &&= row.isExact && (isLast || at === row.end + 2)
    }
    trailer = wordAt(pdf, at, 'trailer')
  }
  const dictionary = parseValue(pdf, trailer)
  if (dictionary.kind !== 'dictionary') throw new SyntaxProblem('a cross-reference without a trailer')
  return { offset, end: dictionary.end, isStream: false, isExact, trailer: dictionary, places }
}

/** Ten digits, five digits, a letter, two bytes to end the line. Readers that count on 20 bytes repair what has others. */
function rowAt(pdf: Buffer, at: number): { place: Place; end: number; isExact: boolean } {
  const offset = wholeNumberAt(pdf, at)
  const generation = offset && wholeNumberAt(pdf, skipWhiteSpace(pdf, offset.end))
  const letter = generation ? skipWhiteSpace(pdf, generation.end) : at
  const isInUse = wordAt(pdf, letter, 'n') !== null
  if (!offset || !generation || !(isInUse || wordAt(pdf, letter, 'f'))) throw new SyntaxProblem(WANT)
  const end = letter + 1
  const isExact = offset.end === at + 10 && generation.end === at + 16 && end === at + 18 && isWhiteSpace(pdf[end + 1])
  // Some producers write unused numbers as objects at 0; nothing can be there, because the header is.
  const isFree = !isInUse || offset.value === 0
  const place: Place = isFree ? { kind: 'free' } : { kind: 'plain', offset: offset.value, generation: generation.value }
  return { place, end, isExact }
}

function readStream(pdf: Buffer, start: number, cap: number): Section {
  const object = parseIndirectObject(pdf, start, () => null)
  const { value, data } = object
  if (value.kind !== 'dictionary' || !data || nameOf(entryOf(value, 'Type')) !== 'XRef') throw new SyntaxProblem(WANT)
  const widths = counts(entryOf(value, 'W'))
  const size = countOf(entryOf(value, 'Size'))
  const index = entryOf(value, 'Index')
  if (widths.length !== 3 || widths.some((width) => width > 8) || size === null) throw new SyntaxProblem(WANT)
  const runs = index === undefined ? [0, size] : counts(index)
  const rows = unpack(value, pdf.subarray(data.start, data.end), cap)
  const places = new Map<number, Place>()
  const width = widths[0]! + widths[1]! + widths[2]!
  if (width === 0 || runs.length % 2 !== 0) throw new SyntaxProblem(WANT)
  let at = 0
  for (let run = 0; run < runs.length; run += 2) {
    for (let i = 0; i < runs[run + 1]!; i++) {
      if (at + width > rows.length || runs[run]! + i >= MAX_OBJECTS) throw new SyntaxProblem(WANT)
      add(places, runs[run]! + i, streamedPlace(rows, at, widths))
      at += width
    }
  }
  return { offset: start, end: object.end, isStream: true, isExact: true, trailer: value, places }
}

function streamedPlace(rows: Buffer, at: number, widths: readonly number[]): Place {
  const [first, second, third] = widths as [number, number, number]
  const field = (from: number, width: number): number => {
    if (width === 0) return 0
    const wide = Math.max(0, width - 6)
    // No file is so long that the first bytes of a wide number are needed.
    if (wide > 0 && rows.readUIntBE(from, wide) !== 0) throw new SyntaxProblem(WANT)
    return rows.readUIntBE(from + wide, width - wide)
  }
  const type = first === 0 ? 1 : field(at, first)
  const b = field(at + first, second)
  const c = field(at + first + second, third)
  if (type === 0) return { kind: 'free' }
  if (type === 1) return b === 0 ? { kind: 'free' } : { kind: 'plain', offset: b, generation: c }
  if (type === 2) return { kind: 'packed', stream: b, index: c }
  throw new SyntaxProblem(WANT)
}

function add(places: Map<number, Place>, number: number, place: Place): void {
  if (places.has(number)) throw new SyntaxProblem('one object twice in one cross-reference')
  places.set(number, place)
}

function counts(value: Value | undefined): number[] {
  if (value?.kind !== 'array') throw new SyntaxProblem(WANT)
  return value.items.map((item) => {
    const count = countOf(item)
    if (count === null) throw new SyntaxProblem(WANT)
    return count
  })
}
