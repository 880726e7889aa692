/**
 * Completes a document: ink, certificate page, seal. Only adds to the file, so that every byte that was shown and the
 * signatures of others survive. Never hands out a file that it has not read back and compared with what was shown.
 */
import type { Box } from '../../lib/pdf/geometry.ts'
import { defaultLimits, type PdfLimits } from '../../lib/pdf/guard/limits.ts'
import { inspectPdf } from '../../lib/pdf/guard/source.ts'
import { crowdedBySigner } from '../../lib/pdf/placement/crowded-texts.ts'
import { plainProblem } from '../../lib/pdf/plain/plain-problem.ts'
import { prepareOpened } from '../../lib/pdf/prepare/prepare.ts'
import { SIGNATURE_BYTES, STAMPED_BYTES } from '../../lib/pdf/seal/seal-form.ts'
import { checkSealKey } from '../../lib/pdf/seal/seal-key.ts'
import { type ReaderDocument, withContent } from '../../lib/pdf/text/content-reader.ts'
import { type FontExtents, fontExtents } from '../../lib/pdf/text/font-extents.ts'
import { locateIn } from '../../lib/pdf/text/text.ts'
import { differenceFromShown } from './compare/same-as-shown.ts'
import type { Completion, NotSealed, Signature, ToSign } from './completion.ts'
import { addCertificatePage } from './ink/certificate-page.ts'
import { compressFrom } from './ink/compress.ts'
import { crowdedFields } from './ink/crowded.ts'
import { lettering } from './ink/fonts.ts'
import { type InkedDocument, inkDocument, UNSTAMPED } from './ink/ink-document.ts'
import { addFurther, writeAdded } from './ink/open-to-add.ts'
import { signatureImageProblem } from './ink/signature-image.ts'
import { type DrawnText, stampFields } from './ink/stamp.ts'
import { addSignaturePlaceholder } from './seal/placeholder.ts'
import { bytesToSign, sealDocument, sealWithSignature } from './seal/seal.ts'
import { queryFor } from './seal/timestamp/attach.ts'

export type Completed =
  | {
      ok: true
      pdf: Uint8Array
      /** The query for the timestamp authority, in DER; omitted where none is asked. */
      timestampQuery?: Uint8Array
    }
  | {
      ok: true
      /** The document without its seal, because the key is elsewhere. */
      pdf: Uint8Array
      toSign: ToSign
    }
  | {
      ok: false
      problem: string
      notSealed?: NotSealed
      /** The ink would be another than the signer saw; the signer can look again. */
      isUnlikePreview?: true
      /** Indexes of the fields in which the signer wrote more than can be read in their boxes. */
      crowded?: number[]
    }

export interface CompleteOptions {
  limits?: PdfLimits
  /** Called with the number of pages to read, because many may take longer. */
  onPageCount?: (count: number) => void
  /** Draws the ink. */
  stamp?: typeof stampFields
}

/**
 * The completed document, or why it could not be completed. Throws only when the seal key is unusable, which is no fault of the
 * document.
 * @param pdf the document as it was accepted and shown
 */
export async function completeDocument(
  pdf: Uint8Array,
  completion: Completion,
  { limits = defaultLimits, onPageCount = () => {}, stamp = stampFields }: CompleteOptions = {},
): Promise<Completed> {
  checkSealKey(completion.seal)
  const imageProblem = completion.signatureImage && (await signatureImageProblem(completion.signatureImage))
  if (imageProblem) return refused(imageProblem)
  const problem = await problemOnRecord(pdf, completion, limits)
  if (problem) return refused(problem)
  const inked = await inkDocument(pdf, completion, stamp).catch(() => null)
  if (!inked) return refused(UNSTAMPED)
  const crowded = crowdedBySigner(crowdedFields(inked.drawn), completion.fields, completion.values)
  if (crowded.length > 0) return { ...refused(CROWDED), crowded }
  const written = await certify(inked, completion).catch(() => null)
  if (!written) return refused(UNSTAMPED)
  const tellPages = (count: number) => onPageCount(READINGS * count)
  const read = await readAgain(pdf, written, completion, tellPages).catch(() => ({ difference: 'it cannot be drawn' }))
  if ('difference' in read)
    return refused(`it would not be what the signer was shown: ${read.difference}`, 'unlikeShown')
  const { previewedSha256 = inked.sha256 } = completion
  if (previewedSha256 !== inked.sha256) return { ...refused(UNLIKE_PREVIEW), isUnlikePreview: true }
  if (!read.isStamped) return refused(UNSTAMPED)
  if (completion.seal.privateKeyPem !== null) {
    return sealed(sealDocument(written.pdf, written.placeholder, completion.seal), completion.timestamp)
  }
  const bytes = bytesToSign(written.pdf, written.placeholder, completion.seal.certificatePem)
  if (!bytes) return refused(SEAL_INVALID, 'sealInvalid')
  return { ok: true, pdf: written.pdf, toSign: { bytes, placeholder: written.placeholder } }
}

/** The outcome where the key was here, or has signed. */
export type Sealed = Exclude<Completed, { toSign: ToSign }>

/** Returns the sealed document: one that `completeDocument` returned without its seal, with the signature that a key elsewhere made. */
export function addSignature(
  pdf: Uint8Array,
  { placeholder, signature, certificatePem, timestamp }: Signature,
): Sealed {
  return sealed(sealWithSignature(pdf, placeholder, signature, certificatePem), timestamp)
}

/** How often each page is read or drawn at most, by all that compare it. */
const READINGS = 5

const SEAL_INVALID = 'its seal would not be valid: the document is damaged; print it to PDF again'

const CROWDED = 'a text is too long to be read in its box'

const UNLIKE_PREVIEW = 'its ink would not be the one that was previewed'

const refused = (problem: string, notSealed?: NotSealed) => ({
  ok: false as const,
  problem,
  ...(notSealed && { notSealed }),
})

/**
 * Returns the error of the document on record, or null. It was accepted once, but perhaps by a version with fewer rules; what
 * is sealed today must meet the rules of today.
 */
async function problemOnRecord(pdf: Uint8Array, { fields }: Completion, limits: PdfLimits): Promise<string | null> {
  const inspected = await inspectPdf(pdf, limits)
  if (!inspected.ok) return `it ${inspected.problem}`
  const prepared = await prepareOpened(pdf, inspected.doc, {
    javaScript: 'allow',
    openAction: 'allow',
    embeddedFiles: 'allow',
  })
  if (!prepared.ok) return `it ${prepared.problem}`
  if (prepared.preparations.length > 0) return 'it was never prepared for signing; ask the sender to send it again'
  const unlike = plainProblem(inspected.doc)
  if (unlike) return `it ${unlike}; ask the sender to send it again`
  const pageCount = inspected.pages.length
  const beyond = fields.find(({ page }) => page > pageCount)
  return beyond ? `a field is on page ${beyond.page}, the document has ${pageCount}` : null
}

function boxesByPage({ fields }: Completion): Map<number, Box[]> {
  const boxes = new Map<number, Box[]>()
  for (const { page, box, covers = [] } of fields) boxes.set(page, [...(boxes.get(page) ?? []), box, ...covers])
  return boxes
}

function sealed(pdf: Buffer | null, timestamp: Completion['timestamp']): Sealed {
  if (!pdf) return refused(SEAL_INVALID, 'sealInvalid')
  return { ok: true, pdf, ...(timestamp?.nonce && { timestampQuery: queryFor(pdf, timestamp.nonce) }) }
}

interface Written {
  pdf: Uint8Array
  drawn: DrawnText[]
  extents: FontExtents
  addedPages: number
  /** Object number of the signature dictionary that is to be filled. */
  placeholder: number
}

/**
 * Adds the certificate page in an update of its own, so that the page can name the digest of the inked document: the file begins
 * with that, byte for byte.
 */
async function certify({ pdf, sha256, drawn, doc }: InkedDocument, completion: Completion): Promise<Written> {
  addFurther(doc)
  const [pageCount, firstAdded] = [doc.getPageCount(), doc.context.largestObjectNumber + 1]
  const digest = { sha256, bytes: pdf.length }
  const page = await addCertificatePage(doc, completion, digest, lettering(doc))
  const addedPages = doc.getPageCount() - pageCount
  const { signer, signedAt, certificate } = completion
  const { name, npi, onBehalfOf = null } = signer
  const named = { name, npi, onBehalfOf, isTest: certificate.isTest }
  const room = completion.timestamp?.nonce ? STAMPED_BYTES : SIGNATURE_BYTES
  const placeholder = await addSignaturePlaceholder(doc, page, new Date(signedAt), named, room)
  compressFrom(doc, firstAdded)
  return { pdf: await writeAdded(doc), drawn, extents: fontExtents(doc), addedPages, placeholder }
}

/**
 * Reads the written file by readers that did not write it. They open it once for both questions: is it what was shown, with the
 * stamps on it, and does each stamp fit in its box?
 */
function readAgain(
  shown: Uint8Array,
  written: Written,
  completion: Completion,
  onPageCount: (count: number) => void,
): Promise<{ difference: string } | { isStamped: boolean }> {
  const { pdf, addedPages, drawn } = written
  const boxes = boxesByPage(completion)
  return withContent(pdf, async (content) => {
    const found = new Set<DrawnText>()
    const onInkedPage = async (page: number) => {
      for (const stamp of await stampsFound(content, page, written)) found.add(stamp)
    }
    const difference = await differenceFromShown(shown, { pdf, content, boxes, addedPages, onInkedPage }, onPageCount)
    return difference ? { difference } : { isStamped: drawn.every((stamp) => found.has(stamp)) }
  })
}

/** Returns those that the reader finds in their boxes on this page. */
async function stampsFound(content: ReaderDocument, page: number, { drawn, extents }: Written): Promise<DrawnText[]> {
  const stamps = drawn.filter((stamp) => stamp.page === page)
  const needles = [...new Set(stamps.map(({ text }) => text))]
  const hits = await locateIn(content, needles, { kind: 'phrase', extents, pages: [page] }).catch(() => [])
  return stamps.filter(({ box, text }) =>
    hits[needles.indexOf(text)]?.some((hit) => {
      const [x, y] = [(hit.box.left + hit.box.right) / 2, (hit.box.top + hit.box.bottom) / 2]
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
    }),
  )
}
