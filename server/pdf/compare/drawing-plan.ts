/**
 * Which pages are drawn to be compared, and how large. Of a short document all are, and finely; of a long one not all, and
 * coarsely, so that it does not take minutes.
 */
import type { PageSize } from '../../../lib/pdf/geometry.ts'

/** The limit for all pages together. */
const PIXELS = 24_000_000
/** The limit for one page of any size. */
const PIXELS_OF_PAGE = 4_000_000
/** In pixels. On a smaller picture nothing could be distinguished. */
const SMALLEST_SIDE = 16

/**
 * How many pixels to draw for each point of the page.
 * @param finest the most that the comparison can use
 */
export function scaleFor(page: PageSize, pageCount: number, finest: number): number {
  const area = Math.max(1, page.width * page.height)
  const scale = Math.min(finest, Math.sqrt(Math.min(PIXELS_OF_PAGE, PIXELS / pageCount) / area))
  return Math.max(scale, SMALLEST_SIDE / Math.max(1, Math.min(page.width, page.height)))
}

/** How many unchanged pages are drawn at most. */
const PAGES = 60

/** Is this page drawn? A changed page always is; of a very long document the others are at regular intervals. */
export function isDrawn(page: number, pageCount: number, isChanged: boolean): boolean {
  return isChanged || page % Math.ceil(pageCount / PAGES) === 0
}
