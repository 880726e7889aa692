/** How a document is opened to be added to, and written: only what was added or changed comes after the bytes that it has. */
import { PDFArray, type PDFContext, PDFDict, PDFDocument, type PDFObject, type PDFRef, PDFStream } from 'pdf-lib'
import { endsWithStream, withCrossReferenceStream } from './cross-reference-stream.ts'

/** Throws when the document cannot be opened. */
export async function openToAdd(pdf: Uint8Array): Promise<PDFDocument> {
  const opening = { updateMetadata: false, parseSpeed: Infinity, forIncrementalUpdate: true }
  const doc = await PDFDocument.load(pdf, opening)
  noteChangesByMap(doc.context)
  return doc
}

/** Returns the document with what was added. `addFurther` continues with it. */
export async function writeAdded(doc: PDFDocument): Promise<Uint8Array> {
  const { context } = doc
  const { pdfFileDetails: file } = context
  const stream = file.originalBytes && endsWithStream(file.originalBytes) ? context.nextRef() : null
  const written = await doc.commit({ ...appending })
  if (!stream) return written
  const pdf = withCrossReferenceStream(written, stream.objectNumber)
  file.originalBytes = pdf
  file.pdfSize = pdf.length
  context.snapshot = doc.takeSnapshot()
  return pdf
}

/** Without object streams: the object of a seal must be the last one, and readable where it lies. */
const appending = { useObjectStreams: false, objectsPerTick: Infinity }

/** Continues with a document that was written: what is added from now on is another update, as if the file had been opened again. */
export function addFurther(doc: PDFDocument): void {
  noteChangesByMap(doc.context)
  // As the library does where it opens a file.
  doc.catalog.registerChange()
}

/**
 * At each change the library looks through the whole document for the indirect object that the changed one is part of. The map
 * knows that of all that was there when the document was opened; what came later is written in any case, or is part of something
 * whose own change was noted when it was put there.
 */
function noteChangesByMap(context: PDFContext): void {
  const holders = new Map<PDFObject, PDFRef>()
  for (const [ref, object] of context.enumerateIndirectObjects()) addParts(holders, object, ref)
  context.registerObjectChange = (changed) => {
    const holder = holders.get(changed)
    if (holder) context.snapshot?.markRefForSave(holder)
  }
}

function addParts(holders: Map<PDFObject, PDFRef>, object: PDFObject, holder: PDFRef): void {
  const left = [object]
  for (let part = left.pop(); part; part = left.pop()) {
    if (part instanceof PDFDict) left.push(...part.values())
    else if (part instanceof PDFArray) left.push(...part.asArray())
    else if (part instanceof PDFStream) left.push(part.dict)
    else continue
    holders.set(part, holder)
  }
}
