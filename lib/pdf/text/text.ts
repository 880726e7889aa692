/**
 * Where a text is on the pages of a PDF. Meant for a worker thread: a hostile file can keep it busy, and loading the
 * reader of content changes globals.
 */
import { contentOperators, operatorsOfPage, type ReaderDocument, withContent } from './content-reader.ts'
import { foldWithoutHyphens } from './fold.ts'
import type { FontExtents } from './font-extents.ts'
import type { Glyph } from './glyphs/glyph.ts'
import { lettersOf } from './glyphs/letters.ts'
import { glyphsOf } from './page-glyphs.ts'
import { inReadingOrder } from './reading-order.ts'
import { type Hit, type NeedleKind, searcher } from './search.ts'

export interface LocateOptions {
  kind: NeedleKind
  extents: FontExtents
  /** Pages to look at, from 1. Optional; all by default. */
  pages?: readonly number[]
  /** Whether form fields and notes are read too; by default only for a phrase. */
  withAnnotations?: boolean
  /** Stop after the page on which the last of the needles was found: later places are not wanted. */
  firstOnly?: boolean
  /** Called with the number of pages before they are read, because reading many takes longer than reading few. */
  onPageCount?: (count: number) => void
  /** Called with the glyphs of each page on which something was found. */
  onFound?: (page: number, glyphs: readonly Glyph[]) => void
}

/**
 * Returns the places of each needle, in reading order: page, line, left.
 * @param pdf is copied, because the reader takes its buffer away.
 */
export const locate = (pdf: Uint8Array, needles: readonly string[], options: LocateOptions): Promise<Hit[][]> =>
  withContent(pdf, (doc) => locateIn(doc, needles, options))

/** Returns the same of a document that is open already. */
export async function locateIn(
  doc: ReaderDocument,
  needles: readonly string[],
  { kind, extents, pages, withAnnotations = kind === 'phrase', firstOnly = false, onPageCount, onFound }: LocateOptions,
): Promise<Hit[][]> {
  const found: Hit[][] = needles.map(() => [])
  const numbers = pages ?? Array.from({ length: doc.numPages }, (_, i) => i + 1)
  onPageCount?.(numbers.length)
  const searchFor = async (wanted: readonly number[], isThorough: boolean) => {
    for (const number of numbers) {
      if (firstOnly && wanted.every((i) => found[i]!.some(({ isExact }) => isExact))) return
      const page = await doc.getPage(number)
      const list = await operatorsOfPage(page, { withAnnotations })
      const letters = lettersOf(list, contentOperators)
      if (wanted.some((i) => [...foldWithoutHyphens(needles[i]!)].every((letter) => letters.has(letter)))) {
        const { glyphs, size } = glyphsOf(page, list, extents)
        const search = searcher(glyphs, size, kind)
        const hits = wanted.map((i) => search(needles[i]!, isThorough).map((hit) => ({ page: number, ...hit })))
        for (const [n, i] of wanted.entries()) found[i]!.push(...hits[n]!)
        if (hits.some((some) => some.length > 0)) onFound?.(number, glyphs)
      }
      page.cleanup()
    }
  }
  // Braces are rare, so few pages are searched for tokens at all. A phrase may have its letters on every page; putting
  // all of them in order is worth it only for what is not found as it was written.
  if (kind === 'phrase') await searchFor([...needles.keys()], false)
  const missing = [...needles.keys()].filter((i) => found[i]!.length === 0)
  if (missing.length > 0) await searchFor(missing, true)
  return found.map(inReadingOrder)
}

/** Returns the number of pages as the content reader counts them. Throws when it cannot open the file. */
export async function countPages(pdf: Uint8Array): Promise<number> {
  return withContent(pdf, async (doc) => doc.numPages)
}

/** Reads the content of these pages, from 1, and forgets it. Throws when one of them cannot be read. */
export async function readPages(pdf: Uint8Array, numbers: readonly number[]): Promise<void> {
  await withContent(pdf, async (doc) => {
    for (const number of numbers) {
      const page = await doc.getPage(number)
      await operatorsOfPage(page, { withAnnotations: true })
      page.cleanup()
    }
  })
}
