/**
 * Do all readers come to the same document? Readers follow the cross-reference, come along from the front, or repair, each
 * in a way of its own. A file is accepted only when none of them has a choice. Draws nothing.
 */
import { type PDFDocument, PDFRawStream, PDFRef } from 'pdf-lib'
import { type CrossReference, readCrossReference } from '../file/cross-reference.ts'
import { headerOffset } from '../file/header.ts'
import { pdfObjects, type StreamSource } from '../file/objects.ts'
import { SyntaxProblem } from '../file/value.ts'
import { contentProblem } from './content-rules.ts'
import { linearizationProblem } from './linearization.ts'
import { loadedProblem } from './loaded-alike.ts'
import { optionalContentProblem } from './optional-content.ts'
import { readPageTree } from './page-tree.ts'
import { reachableObjects } from './reachable.ts'
import { strayProblem } from './stray.ts'

/** A file whose cross-reference is whole. */
export interface ReadFile {
  /** The bytes from the header on: bytes before it belong to no PDF, and no offset counts them. */
  pdf: Buffer
  /** Bytes before the header. */
  headerOffset: number
  crossReference: CrossReference
}

/** Returns the file, or what is wrong. Looks at the cross-reference alone, so that no parser is given a broken file. */
export function readFile(file: Buffer): ReadFile | { problem: string } {
  const offset = headerOffset(file)
  if (offset === null) return { problem: advised('more than one header') }
  const pdf = file.subarray(offset)
  const read = readCrossReference(pdf)
  if (!read.ok) return { problem: advised(read.problem) }
  const { crossReference } = read
  const stray = strayProblem(pdf, crossReference, offset === 0 && crossReference.isExact)
  return stray ? { problem: advised(stray) } : { pdf, headerOffset: offset, crossReference }
}

/**
 * Returns what is wrong, or null: checks that what was loaded is what the file says, and that the file says it in one way only.
 * @param doc the file as the structure reader loaded it, unchanged.
 */
export function readingProblem({ pdf, crossReference }: ReadFile, doc: PDFDocument): string | null {
  const isEncrypted = crossReference.trailer.entries.has('Encrypt')
  const objects = pdfObjects(pdf, crossReference, isEncrypted ? decrypted(doc) : undefined)
  try {
    const reachable = reachableObjects(crossReference, objects)
    const tree = readPageTree(crossReference.trailer, objects)
    const problem =
      loadedProblem(reachable, crossReference, doc, isEncrypted) ??
      linearizationProblem(pdf, tree) ??
      contentProblem(reachable) ??
      optionalContentProblem(tree.catalog, reachable, objects)
    return problem ? advised(problem) : null
  } catch (error) {
    if (error instanceof SyntaxProblem) return advised(error.message)
    throw error
  }
}

const advised = (problem: string): string =>
  `damaged: it has ${problem}, and readers would not agree on what it shows; print it to PDF again`

/** The structure reader has the keys. */
const decrypted =
  ({ context }: PDFDocument): StreamSource =>
  ({ number, generation }) => {
    const loaded = context.lookup(PDFRef.of(number, generation))
    if (!(loaded instanceof PDFRawStream)) throw new SyntaxProblem('an object that only some readers find')
    return Buffer.from(loaded.getContents())
  }
