/**
 * Does a prepared document show what it showed when it was received: the same letters at the same places for the reader of the
 * pages, the same picture for another viewer? How the pages are put together may differ: what stood on top is now part of them.
 */
import type { Box } from '../../../lib/pdf/geometry.ts'
import { operatorsOfPage, type ReaderPage, withContent } from '../../../lib/pdf/text/content-reader.ts'
import type { FontExtents } from '../../../lib/pdf/text/font-extents.ts'
import type { Glyph } from '../../../lib/pdf/text/glyphs/glyph.ts'
import { glyphsOf } from '../../../lib/pdf/text/page-glyphs.ts'
import { isDrawn, scaleFor } from './drawing-plan.ts'
import { picturesDiffer } from './picture-difference.ts'
import { withPictures } from './pictures.ts'

export interface PreparedPages {
  pdf: Uint8Array
  /** Places that may look different, by index of the page, from 0. */
  redrawn: readonly (readonly Box[])[]
  /** Counted from 1. */
  changedPages: ReadonlySet<number>
}

/** @param onPageCount told how many pages there are, before they are compared: many may take longer */
export async function showsTheSame(
  received: Uint8Array,
  { pdf, redrawn, changedPages }: PreparedPages,
  onPageCount: (count: number) => void = () => {},
): Promise<boolean> {
  return withContent(received, (before) =>
    withContent(pdf, (after) =>
      withPictures([received, pdf], async ([pictureBefore, pictureAfter]) => {
        const count = before.numPages
        onPageCount(count)
        if (after.numPages !== count || pictureBefore!.pageCount !== count || pictureAfter!.pageCount !== count)
          return false
        for (let number = 1; number <= count; number++) {
          const except = redrawn[number - 1] ?? []
          const [a, b] = [await before.getPage(number), await after.getPage(number)]
          const [lettersA, lettersB] = [await lettersOf(a, except), await lettersOf(b, except)]
          if (!isSameLetters(lettersA.glyphs, lettersB.glyphs)) return false
          a.cleanup()
          b.cleanup()
          if (!isDrawn(number, count, changedPages.has(number))) continue
          const scale = scaleFor(lettersA.size, count, FINEST)
          const [seenA, seenB] = [await pictureBefore!.ofPage(number, scale), await pictureAfter!.ofPage(number, scale)]
          if (picturesDiffer(seenA, seenB, lettersA.size, except, SMOOTHED)) return false
        }
        return true
      }),
    ),
  )
}

/** In pixels to a point. */
const FINEST = 2
/** Drawn through one more matrix, an edge may fall a hair's breadth alongside where it was; even a decimal point is larger. */
const SMOOTHED = { level: 48, reach: 1 }
/** In points. */
const NEAR = 0.05

/** Any will do: where a letter is does not depend on how far its font reaches up and down. */
const anyExtent: FontExtents = () => [1, 0]

async function lettersOf(page: ReaderPage, except: readonly Box[]) {
  const { glyphs, size } = glyphsOf(page, await operatorsOfPage(page, { withAnnotations: true }), anyExtent)
  const isElsewhere = ({ origin: [x, y] }: Glyph) =>
    !except.some(({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom)
  return { glyphs: glyphs.filter(isElsewhere), size }
}

function isSameLetters(a: readonly Glyph[], b: readonly Glyph[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ text, origin: [x, y], em }, i) => {
      const other = b[i]!
      const isNear = Math.abs(x - other.origin[0]) < NEAR && Math.abs(y - other.origin[1]) < NEAR
      return text === other.text && isNear && Math.abs(em - other.em) < NEAR
    })
  )
}
