/**
 * The last check before a document is sealed: is every page what the signer was shown, with the ink on top and nothing else? Asks
 * the reader of the pages and another viewer. Does not know how the ink got there, so that no cause of a difference can hide.
 */
import type { Box, PageSize } from '../../../lib/pdf/geometry.ts'
import {
  contentOperators,
  type ReaderDocument,
  type ReaderPage,
  withContent,
} from '../../../lib/pdf/text/content-reader.ts'
import { contentOf, type Operation, type PageContent } from '../../../lib/pdf/text/page-content.ts'
import { comparedContent } from '../../../lib/pdf/text/same-content.ts'
import { isDrawn, scaleFor } from './drawing-plan.ts'
import { picturesDiffer } from './picture-difference.ts'
import { withPictures } from './pictures.ts'

export interface Inked {
  pdf: Uint8Array
  /** The same document, opened by the reader of the pages. */
  content: ReaderDocument
  /** Places that bear ink, in points on the page as displayed, by number of the page, from 1. */
  boxes: ReadonlyMap<number, readonly Box[]>
  /** How many pages were added after those that were shown. */
  addedPages: number
  /** Called for each page that bears ink while the reader has its content at hand, so that looking at it costs no second reading. */
  onInkedPage?: (page: number) => Promise<void>
}

/**
 * Returns where the documents differ, as a clause such as `page 2 looks different`; null when the second is the first with ink.
 * @param onPageCount told how many pages there are, before they are compared: many may take longer
 */
export async function differenceFromShown(
  shown: Uint8Array,
  { pdf: inked, content: after, boxes, addedPages, onInkedPage }: Inked,
  onPageCount: (count: number) => void = () => {},
): Promise<string | null> {
  return withContent(shown, (before) =>
    withPictures([shown, inked], async ([pictureBefore, pictureAfter]) => {
      const count = before.numPages
      onPageCount(count)
      const pageCounts = [after.numPages, pictureAfter!.pageCount, pictureBefore!.pageCount + addedPages]
      if (pageCounts.some((found) => found !== count + addedPages)) return 'it has other pages'
      for (let number = 1; number <= count; number++) {
        const [a, b] = [await before.getPage(number), await after.getPage(number)]
        const [sizeA, sizeB] = [sizeOf(a), sizeOf(b)]
        if (!isSameSize(sizeA, sizeB)) return `page ${number} has another size`
        const places = boxes.get(number) ?? []
        if (contentDiffers(await contentOf(a), await contentOf(b), places.length > 0)) {
          return `page ${number} consists of other things`
        }
        if (places.length > 0) await onInkedPage?.(number)
        a.cleanup()
        b.cleanup()
        if (!isDrawn(number, count, places.length > 0)) continue
        const scale = scaleFor(sizeA, count, FINEST)
        const [seenA, seenB] = [await pictureBefore!.ofPage(number, scale), await pictureAfter!.ofPage(number, scale)]
        if (picturesDiffer(seenA, seenB, sizeA, places, EXACT)) return `page ${number} looks different`
      }
      return null
    }),
  )
}

/** In pixels to a point. One pixel is enough to tell that a decimal point has changed. */
const FINEST = 1
/** The same operators give the same pixels. */
const EXACT = { level: 0, reach: 0 }

/** The reader multiplies by /UserUnit; boxes and the other viewer do not. */
function sizeOf(page: ReaderPage): PageSize {
  const { width, height } = page.getViewport({ scale: 1 / (page.userUnit || 1) })
  return { width, height }
}

/** A size with more digits than a number keeps is rounded once more where it is written again. */
const isSameSize = (a: PageSize, b: PageSize): boolean =>
  Math.abs(a.width - b.width) < ROUNDING && Math.abs(a.height - b.height) < ROUNDING

/** In points. */
const ROUNDING = 1e-9

function contentDiffers(before: PageContent, after: PageContent, isInked: boolean): boolean {
  const { isSame, haveSameOverlay } = comparedContent(before, after)
  if (!haveSameOverlay()) return true
  const [shown, written] = [before.operations, after.operations]
  /** Is all that was shown there, one after the other from here on? */
  const isAt = (start: number) =>
    shown.every((one, i) => i + start < written.length && isSame(one, written[start + i]!))
  if (shown.length === written.length && isAt(0)) return false
  return !isInked || !isBelowInk(shown, written, isAt)
}

const isSave = (operation: Operation | undefined) => operation?.operator === contentOperators.save
const isRestore = (operation: Operation | undefined) => operation?.operator === contentOperators.restore

/** Does the ink come after all that was there? That is between saves and a restore, so that it does not affect the ink. */
function isBelowInk(
  before: readonly Operation[],
  after: readonly Operation[],
  isAt: (start: number) => boolean,
): boolean {
  if (before.length === 0) return true
  for (let start = 0; start === 0 || isSave(after[start - 1]); start++) {
    if (start > 0 && isRestore(after[start + before.length]) && isAt(start)) return true
  }
  return false
}
