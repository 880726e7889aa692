/** Draws the ink onto a document, as an update that only adds. What the signer previews and what is sealed both come from here. */
import { createHash } from 'node:crypto'
import type { PDFDocument } from 'pdf-lib'
import type { Ink } from '../completion.ts'
import { lettering } from './fonts.ts'
import { openToAdd, writeAdded } from './open-to-add.ts'
import { type DrawnText, stampFields } from './stamp.ts'

export interface InkedDocument {
  /** Begins with every byte of the document. Always the same for the same document and ink. */
  pdf: Uint8Array
  /** The digest of `pdf`, hexadecimal. */
  sha256: string
  drawn: DrawnText[]
  /** The same as it was written, see `addFurther`. */
  doc: PDFDocument
}

/** Throws when the document cannot be drawn on. */
export async function inkDocument(pdf: Uint8Array, ink: Ink, stamp = stampFields): Promise<InkedDocument> {
  const doc = await openToAdd(pdf)
  const drawn = await stamp(doc, ink, lettering(doc))
  const inked = await writeAdded(doc)
  return { pdf: inked, sha256: createHash('sha256').update(inked).digest('hex'), drawn, doc }
}

export const UNSTAMPED = 'the fields could not be stamped: the document is damaged; print it to PDF again'
