/** The text of a page for those who cannot see its picture. Meant for a worker thread. */
import { boxAround, type Point } from '../geometry.ts'
import { apply, type Matrix, multiply } from '../matrix.ts'
import type { ReaderDocument } from './content-reader.ts'
import { inReadingOrder, type TextLine } from './reading-order.ts'

/** Returns the pieces of text of a page, from 1, in reading order: line by line, from the left. */
export async function textOfPage(doc: ReaderDocument, number: number): Promise<TextLine[]> {
  const page = await doc.getPage(number)
  // The reader multiplies by /UserUnit; the boxes of the interface do not.
  const { transform, width, height } = page.getViewport({ scale: 1 / (page.userUnit || 1) })
  const { items } = await page.getTextContent()
  page.cleanup()
  const pieces = items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return []
    const onPage = multiply(transform as unknown as Matrix, item.transform as unknown as Matrix)
    const em = Math.hypot(onPage[2], onPage[3])
    const box = boxAround(cornersOf(onPage, item.width, Math.hypot(item.transform[0], item.transform[1])))
    return [{ page: number, box, lines: [], em, isExact: true, text: item.str.trim() }]
  })
  const isOnPage = ({ box }: TextLine) => box.right > 0 && box.bottom > 0 && box.left < width && box.top < height
  return inReadingOrder(pieces.filter(isOnPage)).map(({ text, box }) => ({ text, box }))
}

/** How far letters usually reach above and below their line, in em. */
const [ASCENT, DESCENT] = [0.8, -0.2]

/** @param length of the text in the space of the page, whose matrix makes one em this many points long */
function cornersOf(onPage: Matrix, length: number, em: number): Point[] {
  const right = length / (em || 1)
  return [
    apply(onPage, 0, ASCENT),
    apply(onPage, right, ASCENT),
    apply(onPage, right, DESCENT),
    apply(onPage, 0, DESCENT),
  ]
}
