/** The objects of a PDF through its cross-reference, read when asked for and kept. Repairs nothing. */
import type { CrossReference, Place } from './cross-reference.ts'
import { isDigit } from './lexer.ts'
import { packedObjects } from './packed-objects.ts'
import { unpack } from './stream-data.ts'
import { parseIndirectObject } from './syntax.ts'
import { countOf, entryOf, type IndirectObject, nameOf, type Reference, SyntaxProblem, type Value } from './value.ts'

export interface PdfObjects {
  /** Null where the number is free or unknown. Throws a `SyntaxProblem` where the object is not as it should be. */
  objectAt(number: number): IndirectObject | null
  /** The value itself, or what its reference leads to; null where that is nothing. */
  resolve(value: Value | null | undefined): Value | null
}

/** Returns the data of an object stream before its filters: a reader with keys decrypts it here. */
export type StreamSource = (object: IndirectObject) => Buffer

/** Limits on expanded object streams, one and all together, in bytes. */
const MAX_EXPANDED = 32 * 1024 * 1024
const MAX_TOTAL = 64 * 1024 * 1024

const MISPLACED = 'no object where its cross-reference says'

/** @param pdf from its header on. */
export function pdfObjects(pdf: Buffer, { places }: CrossReference, source: StreamSource = storedData): PdfObjects {
  const reading: Reading = {
    pdf,
    places,
    source,
    known: new Map(),
    streams: new Map(),
    underWay: new Set(),
    room: MAX_TOTAL,
  }
  return {
    objectAt: (number) => objectAt(reading, number),
    resolve: (value) => resolve(reading, value),
  }
}

const storedData: StreamSource = ({ bytes, data }) => bytes.subarray(data!.start, data!.end)

interface Reading {
  readonly pdf: Buffer
  readonly places: CrossReference['places']
  readonly source: StreamSource
  readonly known: Map<number, IndirectObject | null>
  /** The objects of each object stream that was unpacked. */
  readonly streams: Map<number, readonly IndirectObject[]>
  /** Numbers of the objects that are being read: reading one may need others. */
  readonly underWay: Set<number>
  /** The number of bytes to which object streams may still expand. */
  room: number
}

function objectAt(reading: Reading, number: number): IndirectObject | null {
  const { known, underWay, places } = reading
  const found = known.get(number)
  if (found !== undefined) return found
  if (underWay.has(number)) throw new SyntaxProblem('an object that is needed to read itself')
  underWay.add(number)
  const object = read(reading, number, places.get(number) ?? { kind: 'free' })
  underWay.delete(number)
  known.set(number, object)
  return object
}

function read(reading: Reading, number: number, place: Place): IndirectObject | null {
  switch (place.kind) {
    case 'free':
      return null
    case 'packed': {
      const object = packedIn(reading, place.stream)[place.index]
      if (object?.number !== number) throw new SyntaxProblem(MISPLACED)
      return object
    }
    case 'plain': {
      const object = plainAt(reading, place.offset)
      if (object?.number !== number || object.generation !== place.generation) throw new SyntaxProblem(MISPLACED)
      return object
    }
  }
}

/** Null inside a number: a reader that comes along from the front would see another object there. */
function plainAt(reading: Reading, offset: number): IndirectObject | null {
  const { pdf } = reading
  if (isDigit(pdf[offset - 1]) && isDigit(pdf[offset])) return null
  return parseIndirectObject(pdf, offset, (reference) => lengthOf(reading, reference))
}

function lengthOf(reading: Reading, { number, generation }: Reference): number | null {
  const object = objectAt(reading, number)
  return object?.generation === generation ? countOf(object.value) : null
}

function packedIn(reading: Reading, number: number): readonly IndirectObject[] {
  const { streams, places, source } = reading
  const done = streams.get(number)
  if (done) return done
  const object = places.get(number)?.kind === 'plain' ? objectAt(reading, number) : null
  if (!object?.data || nameOf(entryOf(object.value, 'Type')) !== 'ObjStm') throw new SyntaxProblem(MISPLACED)
  const bytes = unpack(object.value, source(object), Math.min(MAX_EXPANDED, reading.room))
  reading.room -= bytes.length
  const found = packedObjects(bytes, countOf(entryOf(object.value, 'N')), countOf(entryOf(object.value, 'First')))
  streams.set(number, found)
  return found
}

/** A reference leads to a value, never to another reference. */
function resolve(reading: Reading, value: Value | null | undefined): Value | null {
  if (value?.kind !== 'reference') return value ?? null
  const object = objectAt(reading, value.number)
  if (object && (object.generation !== value.generation || object.value.kind === 'reference')) {
    throw new SyntaxProblem('a reference that leads to another object than it says')
  }
  return object?.value ?? null
}
