/** Covers the text that gives way to fields with paper: it stays in the file, and is no longer seen. choice: Text of tokens */
import { type PDFPage, rgb } from 'pdf-lib'
import { drawIn } from '../../../lib/pdf/placement/canvas.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'

const PAPER = rgb(1, 1, 1)

/** To be called before there is any ink, so that none of it is hidden. */
export function coverTexts(pages: readonly PDFPage[], fields: readonly Field[]): void {
  for (const { page: number, covers = [] } of fields) {
    const page = pages[number - 1]
    if (!page) continue
    for (const box of covers)
      drawIn(page, box, ({ width, height }) => page.drawRectangle({ x: 0, y: 0, width, height, color: PAPER }))
  }
}
