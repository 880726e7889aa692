/** The objects of a PDF through its cross-reference, read when asked for and kept. Repairs nothing. */
import type { CrossReference, Place } from './cross-reference.ts'
import { isDigit, skipWhiteSpace, wholeNumberAt } from './lexer.ts'
import { unpack } from './stream-data.ts'
import { parseIndirectObject, parseValue } from './syntax.ts'
import { countOf, entryOf, type IndirectObject, nameOf, type Reference, SyntaxProblem, type Value } from './value.ts'

export interface PdfObjects {
  /** Null where the number is free or unknown. Throws a `SyntaxProblem` where the object is not as it should be. */
  objectAt(number: number): IndirectObject | null
  /** The value itself, or what its reference leads to; null where that is nothing. */
  resolve(value: Value | null | undefined): Value | null
}

/** Data of the object stream with this number, before its filters: a reader with keys decrypts it here. */
export type StreamSource = (object: IndirectObject) => Buffer

const MAX_EXPANDED = 32 * 1024 * 1024
const MAX_TOTAL = 64 * 1024 * 1024

const UNLISTED = 'packed objects without a list of them'

const storedData: StreamSource = ({ bytes, data }) => bytes.subarray(data!.start, data!.end)

/** @param pdf from its header on. */
export function pdfObjects(pdf: Buffer, { places }: CrossReference, source: StreamSource = storedData): PdfObjects {
  const known = new Map<number, IndirectObject | null>()
  const streams = new Map<number, IndirectObject[]>()
  const under = new Set<number>()
  let room = MAX_TOTAL

  const objectAt = (number: number): IndirectObject | null => {
    const found = known.get(number)
    if (found !== undefined) return found
    if (under.has(number)) throw new SyntaxProblem('an object that is needed to read itself')
    under.add(number)
    const object = read(number, places.get(number) ?? { kind: 'free' })
    under.delete(number)
    known.set(number, object)
    return object
  }

  const read = (number: number, place: Place): IndirectObject | null => {
    if (place.kind === 'free') return null
    if (place.kind === 'packed') {
      const object = packedIn(place.stream)[place.index]
      if (object?.number !== number) throw new SyntaxProblem('no object where its cross-reference says')
      return object
    }
    // Inside another number would be another object for a reader who comes along from the front.
    const isInNumber = isDigit(pdf[place.offset - 1]) && isDigit(pdf[place.offset])
    const object = isInNumber ? null : parseIndirectObject(pdf, place.offset, lengthOf)
    if (object?.number !== number || object.generation !== place.generation) {
      throw new SyntaxProblem('no object where its cross-reference says')
    }
    return object
  }

  const packedIn = (number: number): IndirectObject[] => {
    const done = streams.get(number)
    if (done) return done
    const object = places.get(number)?.kind === 'plain' ? objectAt(number) : null
    if (!object?.data || nameOf(entryOf(object.value, 'Type')) !== 'ObjStm') {
      throw new SyntaxProblem('no object where its cross-reference says')
    }
    const bytes = unpack(object.value, source(object), Math.min(MAX_EXPANDED, room))
    room -= bytes.length
    const found = packedObjects(bytes, countOf(entryOf(object.value, 'N')), countOf(entryOf(object.value, 'First')))
    streams.set(number, found)
    return found
  }

  const lengthOf = ({ number, generation }: Reference): number | null => {
    const object = objectAt(number)
    return object?.generation === generation ? countOf(object.value) : null
  }

  /** A reference leads to a value, never to another reference. */
  const resolve = (value: Value | null | undefined): Value | null => {
    if (value?.kind !== 'reference') return value ?? null
    const object = objectAt(value.number)
    if (object && (object.generation !== value.generation || object.value.kind === 'reference')) {
      throw new SyntaxProblem('a reference that leads to another object than it says')
    }
    return object?.value ?? null
  }
  return { objectAt, resolve }
}

/** Some readers cut each object where the next begins, so they must lie apart and in order. */
function packedObjects(bytes: Buffer, count: number | null, first: number | null): IndirectObject[] {
  if (count === null || first === null || first > bytes.length) throw new SyntaxProblem(UNLISTED)
  const found = new Map<number, IndirectObject>()
  let at = skipWhiteSpace(bytes, 0)
  let free = first
  for (let i = 0; i < count; i++) {
    const number = wholeNumberAt(bytes, at)
    const offset = number && wholeNumberAt(bytes, skipWhiteSpace(bytes, number.end))
    if (!number || !offset || offset.end > first || first + offset.value < free || found.has(number.value)) {
      throw new SyntaxProblem(UNLISTED)
    }
    const value = parseValue(bytes, first + offset.value)
    const { start, end } = value
    found.set(number.value, { number: number.value, generation: 0, value, data: null, bytes, start, end })
    free = end
    at = skipWhiteSpace(bytes, offset.end)
  }
  return [...found.values()]
}
