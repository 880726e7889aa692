/** Where ink goes: into the box of a field, and not beyond it. */
import { clip, endPath, type PDFPage, rectangle, rgb } from 'pdf-lib'
import type { Box } from '../../../lib/pdf/geometry.ts'
import { drawIn } from '../../../lib/pdf/placement/canvas.ts'

/** The color of signers' entries. */
export const blue = rgb(0.05, 0.1, 0.3)

/** Draws into a box, and clips what would reach out of it, such as a very tall letter. */
export function inkIn(page: PDFPage, box: Box, draw: Parameters<typeof drawIn>[2]): void {
  drawIn(page, box, (size) => {
    page.pushOperators(rectangle(0, 0, size.width, size.height), clip(), endPath())
    draw(size)
  })
}
