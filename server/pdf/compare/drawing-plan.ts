/** Which pages are drawn to be compared, and how large: all and fine when they are few, so that a long document takes no minutes. */
import type { PageSize } from '../../../lib/pdf/geometry.ts'

/** Of all pages together. */
const PIXELS = 24_000_000
/** Of one page, whatever its size. */
const PIXELS_OF_PAGE = 4_000_000
/** Below this nothing could be told from anything. */
const SMALLEST_SIDE = 16

/** @param finest pixels to a point. */
export function scaleFor(page: PageSize, pageCount: number, finest: number): number {
  const area = Math.max(1, page.width * page.height)
  const scale = Math.min(finest, Math.sqrt(Math.min(PIXELS_OF_PAGE, PIXELS / pageCount) / area))
  return Math.max(scale, SMALLEST_SIDE / Math.max(1, Math.min(page.width, page.height)))
}

const PAGES = 60

/** Is this page drawn? Those that were changed always are, and of a very long document the others at regular intervals. */
export function isDrawn(page: number, pageCount: number, isChanged: boolean): boolean {
  return isChanged || page % Math.ceil(pageCount / PAGES) === 0
}
