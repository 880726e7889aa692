/**
 * A drawing area over a box of a displayed page: inside it, regardless of the page's rotation and crop, x runs right and y runs up
 * from the box's lower left corner as a person sees it. Draws only inside `drawIn`.
 */
import { concatTransformationMatrix, type PDFPage, popGraphicsState, pushGraphicsState } from 'pdf-lib'
import { type Box, toUser } from '../geometry.ts'
import { pageFrame } from '../page-frame.ts'

export function drawIn(page: PDFPage, box: Box, draw: (size: { width: number; height: number }) => void): void {
  const frame = pageFrame(page)
  const [ox, oy] = toUser(frame, [box.left, box.bottom])
  const [rx, ry] = toUser(frame, [box.left + 1, box.bottom])
  const [ux, uy] = toUser(frame, [box.left, box.bottom - 1])
  page.pushOperators(pushGraphicsState(), concatTransformationMatrix(rx - ox, ry - oy, ux - ox, uy - oy, ox, oy))
  draw({ width: box.right - box.left, height: box.bottom - box.top })
  page.pushOperators(popGraphicsState())
}
