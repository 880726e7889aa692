/**
 * Compares what the cross-reference leads to with what the structure reader has loaded. The structure reader goes through the
 * file from the front and keeps the last object of each number, so the two agree only where a file leaves no choice.
 */
import {
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFInvalidObject,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFString,
} from 'pdf-lib'
import type { CrossReference } from '../file/cross-reference.ts'
import { entryOf, type IndirectObject, type Value } from '../file/value.ts'
import type { Reachable } from './reachable.ts'

const NOTHING = Buffer.alloc(0)
const TWICE = 'an object that is there twice'

/** Returns a description of the error, or null. */
export function loadedProblem(
  { objects, missing }: Reachable,
  { trailer, startxref }: CrossReference,
  { context }: PDFDocument,
  isEncrypted: boolean,
): string | null {
  if (missing.some(({ number, generation }) => context.lookup(PDFRef.of(number, generation)))) {
    return 'an object that only some readers find'
  }
  if (context.pdfFileDetails.prevStartXRef !== startxref) return 'two ends'
  for (const key of ['Root', 'Info'] as const) {
    const stated = entryOf(trailer, key)
    const loaded = context.trailerInfo[key]
    // The title of a document is not shown in it, and encryption can hide it from the structure reader.
    const isSame = stated && loaded ? isAlike(stated, loaded, NOTHING, true) : key === 'Info'
    if (!isSame) return 'two trailers that contradict each other'
  }
  // Opening an encrypted file takes the entry away.
  if (!isEncrypted && context.trailerInfo.Encrypt) return 'two trailers that contradict each other'
  const generations = new Map(objects.map(({ number, generation }) => [number, generation]))
  for (const [{ objectNumber, generationNumber }] of context.enumerateIndirectObjects()) {
    if ((generations.get(objectNumber) ?? generationNumber) !== generationNumber) return TWICE
  }
  const isSame = (object: IndirectObject) => isObjectAlike(object, context, isEncrypted)
  return objects.every(isSame) ? null : TWICE
}

function isObjectAlike(object: IndirectObject, context: PDFDocument['context'], isEncrypted: boolean): boolean {
  const { number, generation, value, data, bytes } = object
  const loaded = context.lookup(PDFRef.of(number, generation))
  if (!data) return isAlike(value, loaded, bytes, isEncrypted)
  if (loaded instanceof PDFInvalidObject) return isKeptAsItIs(object, loaded)
  if (!(loaded instanceof PDFRawStream) || !isAlike(value, loaded.dict, bytes, isEncrypted)) return false
  return isEncrypted
    ? !bytes.subarray(data.start, data.end).includes('endstream')
    : isSameData(bytes.subarray(data.start, data.end), loaded.getContents())
}

/** A font may have the word `stream` in it, which confuses the structure reader; it keeps and writes such an object untouched. */
function isKeptAsItIs({ value, bytes, end }: IndirectObject, loaded: PDFInvalidObject): boolean {
  const kept = Buffer.alloc(loaded.sizeInBytes())
  loaded.copyBytesInto(kept, 0)
  return bytes.subarray(value.start, end - 'endobj'.length).equals(kept)
}

/** Where the length is a reference, the structure reader looks for the end, and takes a last line end as part of it. */
function isSameData(stored: Buffer, loaded: Uint8Array): boolean {
  const rest = stored.subarray(loaded.length)
  return rest.length <= 2 && /^\r?\n?$/.test(rest.toString('latin1')) && stored.indexOf(loaded) === 0
}

/** @param isOpaque texts are encrypted in one of the two. */
function isAlike(value: Value, loaded: PDFObject | undefined, bytes: Buffer, isOpaque: boolean): boolean {
  switch (value.kind) {
    case 'null':
      return loaded === PDFNull
    case 'boolean':
      return loaded instanceof PDFBool && loaded.asBoolean() === value.value
    case 'number':
      return loaded instanceof PDFNumber && loaded.asNumber() === value.value
    case 'name':
      return loaded instanceof PDFName && loaded === PDFName.of(value.name)
    case 'reference':
      return loaded === PDFRef.of(value.number, value.generation)
    case 'text': {
      if (!(value.isHex ? loaded instanceof PDFHexString : loaded instanceof PDFString)) return false
      return isOpaque || (loaded as PDFString).asString() === bytes.toString('latin1', value.start + 1, value.end - 1)
    }
    case 'array':
      return (
        loaded instanceof PDFArray &&
        loaded.size() === value.items.length &&
        value.items.every((item, i) => isAlike(item, loaded.get(i), bytes, isOpaque))
      )
    case 'dictionary':
      return (
        loaded instanceof PDFDict &&
        loaded.keys().length === value.entries.size &&
        [...value.entries].every(([key, item]) => isAlike(item, loaded.get(PDFName.of(key), true), bytes, isOpaque))
      )
  }
}
