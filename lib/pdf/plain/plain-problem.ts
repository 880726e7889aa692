/**
 * Decides whether a document is plain: whether all of it lies within a short grammar that was seen to look alike in every viewer.
 * Any other document is drawn: see `server/pdf/draw`. docs/guides/documents.md shows the grammar.
 */
import { PDFArray, type PDFDocument, PDFName, type PDFObject, type PDFPage, PDFRawStream } from 'pdf-lib'
import { SyntaxProblem } from '../file/value.ts'
import type { DoubtfulFont } from '../fonts/specimen.ts'
import { joinedContent } from '../one-reading/contents.ts'
import { checkAnnotations } from './annotations.ts'
import { type Checked, checkContent, isScreenSpace, nothingChecked, unpackedContent } from './content.ts'
import { doubtfulCodes } from './doubtful-codes.ts'
import { dictIn, entry, keys, numberIn, numbersIn, onlyKeys } from './entries.ts'
import { checkGroup } from './graphics-state.ts'
import { FontMissing, NotPlain, ProfileUnknown } from './not-plain.ts'
import { onNewPage } from './state.ts'

const PAGE_KEYS = keys(`Type Parent Resources MediaBox CropBox BleedBox TrimBox ArtBox Rotate Contents Group Annots Tabs
  StructParents StructParent Metadata PieceInfo LastModified Thumb ID UserUnit Trans Dur AA B CA PZ
  ProcSet AF VP`)
/** A document within the grammar, or what is outside of it, as a clause about the document that never quotes it. */
export type PlainReading =
  /** `fonts`: those with letters that viewers might still draw differently. */
  | { ok: true; fonts: DoubtfulFont[] }
  | { ok: false; problem: string; isFontMissing: boolean; isProfileUnknown: boolean }

/** Returns what is outside of the grammar; null for a plain document. */
export function plainProblem(doc: PDFDocument): string | null {
  const reading = readPlain(doc)
  return reading.ok ? null : reading.problem
}

export function readPlain(doc: PDFDocument): PlainReading {
  const checked = nothingChecked()
  try {
    for (const page of doc.getPages()) {
      checkPage(page)
      checkAnnotations(page, checked)
      checkPageContent(page, checked)
    }
    const fonts = [...checked.fonts.values()].map((use) => ({ font: use.font, codes: doubtfulCodes(use) }))
    return { ok: true, fonts: fonts.filter(({ codes }) => codes.length > 0) }
  } catch (error) {
    if (!(error instanceof NotPlain || error instanceof SyntaxProblem)) throw error
    const [isFontMissing, isProfileUnknown] = [error instanceof FontMissing, error instanceof ProfileUnknown]
    return { ok: false, problem: `has ${error.message}`, isFontMissing, isProfileUnknown }
  }
}

/** Throws a `NotPlain` or a `SyntaxProblem`. */
export function checkPageContent({ node }: PDFPage, checked: Checked): void {
  const content = joined(entry(node, 'Contents'))
  checkContent(content, node.Resources() ?? node.context.obj({}), onNewPage, checked)
}

function checkPage({ node }: PDFPage): void {
  onlyKeys(node, PAGE_KEYS, 'pages with entries that only some viewers know')
  for (const key of ['MediaBox', 'CropBox']) {
    const value = node.getInheritableAttribute(PDFName.of(key))
    if (value === undefined && key === 'CropBox') continue
    const holder = node.context.obj({})
    holder.set(PDFName.of(key), value ?? node.context.obj([]))
    const box = numbersIn(holder, key, 4)
    if (!box || box[0]! >= box[2]! || box[1]! >= box[3]! || !box.every((side) => Math.abs(side) <= 30_000))
      throw new NotPlain('pages whose size viewers take differently')
  }
  if (node.has(PDFName.of('UserUnit')) && numberIn(node, 'UserUnit') !== 1)
    throw new NotPlain('pages in a unit that only some viewers know')
  const group = dictIn(node, 'Group')
  if (group) checkGroup(group, isScreenSpace)
}

/** Returns the streams of a page as one. Viewers put white space between them, but one that does not would find another number. */
function joined(contents: PDFObject | undefined): Buffer {
  const streams =
    contents instanceof PDFArray ? Array.from({ length: contents.size() }, (_, i) => contents.lookup(i)) : [contents]
  if (contents === undefined) return Buffer.alloc(0)
  const parts: Buffer[] = []
  for (const stream of streams) {
    if (!(stream instanceof PDFRawStream)) throw new NotPlain('page content that only some viewers find')
    const part = unpackedContent(stream)
    if (isNumeric(parts.at(-1)?.at(-1)) && isNumeric(part[0]))
      throw new NotPlain('page content whose parts viewers join differently')
    parts.push(part)
  }
  return joinedContent(parts)
}

const isNumeric = (byte: number | undefined) => byte !== undefined && /[0-9.+-]/.test(String.fromCharCode(byte))
