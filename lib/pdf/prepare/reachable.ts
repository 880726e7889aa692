/** Walks over everything that a document leads to, and forgets the rest. Reads dictionaries and arrays, never content. */
import { PDFArray, PDFDict, type PDFDocument, PDFNull, type PDFObject, PDFRef, PDFStream } from 'pdf-lib'

/** Each dictionary once, those of streams included. */
export function* reachableDictionaries(doc: PDFDocument): Generator<PDFDict> {
  for (const object of reachable(doc, new Set())) {
    if (object instanceof PDFDict) yield object
    else if (object instanceof PDFStream) yield object.dict
  }
}

/** Deletes what nothing leads to, and what leads to nothing: a written file then holds nothing that was taken out of it. */
export function forgetTheRest(doc: PDFDocument): void {
  const seen = new Set<PDFRef>()
  for (const object of reachable(doc, seen)) unlinkMissing(doc, object)
  for (const [ref] of doc.context.enumerateIndirectObjects()) if (!seen.has(ref)) doc.context.delete(ref)
  // The trailer's /Size follows it.
  const numbers = doc.context.enumerateIndirectObjects().map(([{ objectNumber }]) => objectNumber)
  doc.context.largestObjectNumber = numbers.reduce((most, number) => Math.max(most, number), 0)
}

/** @param seen gets the references that were followed. */
function* reachable({ context }: PDFDocument, seen: Set<PDFRef>): Generator<PDFObject> {
  const { Root, Info, ID } = context.trailerInfo
  const waiting = [Root, Info, ID].filter((item) => item !== undefined)
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    if (item instanceof PDFRef) {
      if (seen.has(item)) continue
      seen.add(item)
    }
    const object = context.lookup(item)
    if (object === undefined) continue
    yield object
    for (const value of parts(object)) waiting.push(value)
  }
}

/** A reference to nothing means null; said plainly, no reader has to guess. */
function unlinkMissing({ context }: PDFDocument, object: PDFObject): void {
  const isMissing = (value: PDFObject) => value instanceof PDFRef && context.lookup(value) === undefined
  if (object instanceof PDFArray) {
    object.asArray().forEach((value, index) => {
      if (isMissing(value)) object.set(index, PDFNull)
    })
    return
  }
  const dict = object instanceof PDFStream ? object.dict : object
  if (!(dict instanceof PDFDict)) return
  for (const [key, value] of dict.entries()) if (isMissing(value)) dict.delete(key)
}

function parts(object: PDFObject): PDFObject[] {
  if (object instanceof PDFArray) return object.asArray()
  const dict = object instanceof PDFStream ? object.dict : object
  return dict instanceof PDFDict ? dict.values() : []
}
