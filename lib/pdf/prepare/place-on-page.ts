/** Where something that is at a place in user space is seen on the displayed page. */
import type { PDFPage } from 'pdf-lib'
import { type Box, toDisplay } from '../geometry.ts'
import { pageFrame } from '../page-frame.ts'
import type { Annotation } from './annotation.ts'

/** Viewers draw borders over the edge, and marks in a size of their own around a corner. */
const MARGIN = 24

export function placeOnPage(page: PDFPage, [x0, y0, x1, y1]: Annotation['rect']): Box {
  const frame = pageFrame(page)
  const [ax, ay] = toDisplay(frame, [x0, y0])
  const [bx, by] = toDisplay(frame, [x1, y1])
  return {
    left: Math.min(ax, bx) - MARGIN,
    top: Math.min(ay, by) - MARGIN,
    right: Math.max(ax, bx) + MARGIN,
    bottom: Math.max(ay, by) + MARGIN,
  }
}
