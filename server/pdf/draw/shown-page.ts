/** One page as it is shown on a screen: its picture, and its text where the document has one that is reliable. */
import type { PageSize } from '../../../lib/pdf/geometry.ts'
import { openStructure } from '../../../lib/pdf/guard/structure.ts'
import { hasVerifiedText } from '../../../lib/pdf/plain/verified-text.ts'
import { withContent } from '../../../lib/pdf/text/content-reader.ts'
import { textOfPage } from '../../../lib/pdf/text/page-text.ts'
import type { TextLine } from '../../../lib/pdf/text/reading-order.ts'
import type { Picture } from '../compare/pictures.ts'
import { type Pdfium, viewDocument } from '../compare/viewed-document.ts'
import { withViewer } from '../compare/viewer.ts'
import type { Ink } from '../completion.ts'
import { inkDocument, UNSTAMPED } from '../ink/ink-document.ts'
import { encodeJpeg } from './jpeg.ts'
import { encodePng } from './png.ts'

export interface PageRequest {
  /** From 1. */
  page: number
  /** Of the picture, in pixels. */
  width: number
  /** The ink to draw on the document, and the digest of both together as it was previewed, hexadecimal; null for none. */
  inked: { ink: Ink; sha256: string } | null
  /** Whether the document was signed here, so that it has text that was added by signing. */
  isSigned: boolean
}

export interface ShownPage {
  ok: true
  picture: Uint8Array
  type: 'image/png' | 'image/jpeg'
  lines: TextLine[]
  /** Whether the text of the page is what shows on it. Where it is not, there are no lines. */
  isTextReliable: boolean
}

/** `noPage`: the document has no such page; `otherInk`: the ink would be another than that which was previewed. */
export type NotShown = { ok: false; problem: string; because: 'noPage' | 'otherInk' | 'unstamped' }

/** Browsers refuse larger pictures. */
const MOST_PIXELS = 16_000_000

/** Throws where the document cannot be opened, which was checked when it was accepted. */
export async function pageSizes(pdf: Uint8Array): Promise<PageSize[]> {
  return withViewer(async ({ pdfium }) => {
    const { pageCount, sizeOf } = viewDocument(pdfium, pdf)
    return Array.from({ length: pageCount }, (_, index) => sizeOf(index))
  })
}

/** @param pdf the document as it was accepted, or as it was signed */
export async function showPage(
  pdf: Uint8Array,
  { page, width, inked, isSigned }: PageRequest,
): Promise<ShownPage | NotShown> {
  let shown = pdf
  if (inked) {
    const written = await inkDocument(pdf, inked.ink).catch(() => null)
    if (!written) return { ok: false, problem: UNSTAMPED, because: 'unstamped' }
    if (written.sha256 !== inked.sha256) return { ok: false, problem: 'has other ink by now', because: 'otherInk' }
    shown = written.pdf
  }
  const encoded = await withViewer(async ({ pdfium }) => encodedPage(pdfium, shown, page, width))
  if (!encoded) return { ok: false, problem: `has no page ${page}`, because: 'noPage' }
  const isTextReliable = isSigned || (await isVerified(pdf, page))
  // A page without readable text is still shown: its picture is what is signed.
  const lines = isTextReliable ? await withContent(shown, (doc) => textOfPage(doc, page)).catch(() => []) : []
  return { ok: true, ...encoded, lines, isTextReliable }
}

async function isVerified(pdf: Uint8Array, page: number): Promise<boolean> {
  const opened = await openStructure(pdf)
  return opened.ok && hasVerifiedText(opened.doc, page)
}

function encodedPage(pdfium: Pdfium, pdf: Uint8Array, page: number, width: number) {
  const { pageCount, drawPage } = viewDocument(pdfium, pdf)
  if (page > pageCount) return null
  const { picture } = drawPage(page - 1, (size) => {
    const scale = Math.min(width / size.width, Math.sqrt(MOST_PIXELS / (size.width * size.height)))
    return { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) }
  })
  return encodedPicture(picture)
}

/** A picture that takes more bytes for each pixel without loss is a photograph or a scan. */
const MOST_BYTES_FOR_PIXEL = 0.4
const JPEG_QUALITY = 92

function encodedPicture(picture: Picture): Pick<ShownPage, 'picture' | 'type'> {
  const { bytes, isGray } = encodePng(picture)
  const { width, height, data } = picture
  if (bytes.length <= MOST_BYTES_FOR_PIXEL * width * height) return { picture: bytes, type: 'image/png' }
  const channels = isGray ? 1 : 3
  const samples = new Uint8Array(channels * width * height)
  for (let i = 0; i < width * height; i++)
    for (let channel = 0; channel < channels; channel++) samples[channels * i + channel] = data[4 * i + channel]!
  return { picture: encodeJpeg({ width, height, channels, data: samples }, JPEG_QUALITY), type: 'image/jpeg' }
}
