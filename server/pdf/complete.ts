/**
 * Completes a document: ink, certificate page, seal. Adds to the file where it can, so that every original byte and the
 * signatures of others survive; rewrites it where it must. Never hands out a file that it has not read back.
 */
import { createHash } from 'node:crypto'
import { PDFDocument } from 'pdf-lib'
import { fontExtents } from '../../lib/pdf/font-extents.ts'
import { openStructure } from '../../lib/pdf/structure.ts'
import { countPages, locate } from '../../lib/pdf/text.ts'
import { addCertificatePage, type InkedDigest } from './certificate-page.ts'
import type { Completion } from './completion.ts'
import { lettering } from './fonts.ts'
import { addSignaturePlaceholder, isSigned } from './placeholder.ts'
import { sealDocument } from './seal.ts'
import { checkSealKey } from './seal-key.ts'
import { signatureImageProblem } from './signature-image.ts'
import { type DrawnText, stampFields } from './stamp.ts'

export type Completed = { ok: true; pdf: Uint8Array } | { ok: false; problem: string }

/** Throws only when the seal key is unusable, which is no fault of the document. */
export async function completeDocument(pdf: Uint8Array, completion: Completion): Promise<Completed> {
  checkSealKey(completion.seal)
  const imageProblem = completion.signatureImage && (await signatureImageProblem(completion.signatureImage))
  if (imageProblem) return { ok: false, problem: imageProblem }
  const opened = await openStructure(pdf)
  if (!opened.ok) return opened
  const { doc: original } = opened
  const pageCount = countOf(original)
  if (pageCount === null) return { ok: false, problem: 'damaged: its pages cannot be read; print it to PDF again' }
  const beyond = completion.fields.find(({ page }) => page > pageCount)
  if (beyond) return { ok: false, problem: `a field is on page ${beyond.page}, the document has ${pageCount}` }

  const isSignedBefore = isSigned(original)
  if (canAppend(pdf, original, isSignedBefore)) {
    const appended = await attempt(() => appendTo(pdf, completion))
    if (appended && (await readsBack(appended, pageCount))) return sealed(appended, completion)
  }
  // Rewriting moves every byte, and with them breaks what others have signed.
  if (isSignedBefore) {
    return { ok: false, problem: 'it is signed already, and cannot be added to without breaking that signature' }
  }
  const rewritten = await attempt(() => write(original, completion, (doc) => doc.save(rewriting)))
  if (rewritten && (await readsBack(rewritten, pageCount))) return sealed(rewritten, completion)
  return { ok: false, problem: 'the fields could not be stamped: the document is damaged; print it to PDF again' }
}

/** Can the file be added to, so that all readers still find their way? */
function canAppend(pdf: Uint8Array, { context, isEncrypted }: PDFDocument, isSignedBefore: boolean): boolean {
  if (isEncrypted || context.trailerInfo.Encrypt !== undefined) return false
  // With something before the header, readers disagree about what offsets count from; a file with offsets of both kinds is
  // repaired by some of them, and a repaired file has lost its signatures. Only for a signature is that risk worth taking.
  const beginsWithHeader = Buffer.from(pdf.subarray(0, 5)).toString('latin1') === '%PDF-'
  return beginsWithHeader || isSignedBefore
}

/** Null when the page tree is missing or leads nowhere. */
function countOf(doc: PDFDocument): number | null {
  try {
    return doc.getPageCount()
  } catch {
    return null
  }
}

async function sealed({ pdf, placeholder }: Written, { seal }: Completion): Promise<Completed> {
  const result = await sealDocument(pdf, placeholder, seal)
  return result
    ? { ok: true, pdf: result }
    : { ok: false, problem: 'its seal would not be valid: the document is damaged; print it to PDF again' }
}

/** Object streams break inputs whose cross-reference table is damaged. */
const appending = { useObjectStreams: false, objectsPerTick: Infinity }
const rewriting = { ...appending, updateFieldAppearances: false }

interface Written {
  pdf: Uint8Array
  drawn: DrawnText[]
  /** Object number of the signature dictionary that is to be filled. */
  placeholder: number
}

const adding = { updateMetadata: false, parseSpeed: Infinity, forIncrementalUpdate: true }

async function appendTo(pdf: Uint8Array, completion: Completion): Promise<Written> {
  return write(await PDFDocument.load(pdf, adding), completion, (doc) => doc.commit(appending))
}

/**
 * Ink first, the certificate page in an update of its own: so the page can name the digest of the inked document, which is
 * how the file begins, byte for byte.
 */
async function write(
  doc: PDFDocument,
  completion: Completion,
  save: (doc: PDFDocument) => Promise<Uint8Array>,
): Promise<Written> {
  const drawn = await stampFields(doc, completion, lettering(doc))
  const inked = await save(doc)
  const certified = await PDFDocument.load(inked, adding)
  const page = await addCertificatePage(certified, completion, inkedDigest(inked), lettering(certified))
  const placeholder = await addSignaturePlaceholder(certified, page, new Date(completion.signedAt))
  return { pdf: await certified.commit(appending), drawn, placeholder }
}

const inkedDigest = (inked: Uint8Array): InkedDigest => ({
  sha256: createHash('sha256').update(inked).digest('hex'),
  bytes: inked.length,
})

/** A broken input may fail in one way of writing and not in the other. */
async function attempt(writing: () => Promise<Written>): Promise<Written | null> {
  try {
    return await writing()
  } catch {
    return null
  }
}

/** Does the other reader see the new pages, and each stamp inside its box? */
async function readsBack({ pdf, drawn }: Written, pageCount: number): Promise<boolean> {
  const opened = await openStructure(pdf)
  if (!opened.ok) return false
  try {
    if ((await countPages(pdf)) <= pageCount) return false
    const needles = [...new Set(drawn.map(({ text }) => text))]
    const pages = [...new Set(drawn.map(({ page }) => page))]
    const found = await locate(pdf, needles, { kind: 'phrase', extents: fontExtents(opened.doc), pages })
    return drawn.every(({ page, box, text }) =>
      found[needles.indexOf(text)]!.some((hit) => {
        const [x, y] = [(hit.box.left + hit.box.right) / 2, (hit.box.top + hit.box.bottom) / 2]
        return hit.page === page && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
      }),
    )
  } catch {
    return false
  }
}
