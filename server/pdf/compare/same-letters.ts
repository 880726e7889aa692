/**
 * Do the reader of the pages and another viewer draw the same letters? Fonts easily contradict themselves: they have several
 * maps from codes to glyphs, and programs that one viewer can read and another replaces. So each code that a document uses is
 * drawn by both, alone and large.
 */
import { letterOutlines } from '../../../lib/pdf/fonts/letter-outlines.ts'
import { type ReaderDocument, withContent } from '../../../lib/pdf/text/content-reader.ts'
import { type Filled, SPAN, whileFilled } from './filled-outlines.ts'
import { type GrayPicture, withPictures } from './pictures.ts'

/** @param specimen a document that shows the letters, see `writeSpecimen` */
export async function drawsSameLetters(specimen: Uint8Array): Promise<boolean> {
  const read = (doc: ReaderDocument) =>
    withPictures([specimen], async ([pictures]) => {
      const count = doc.numPages / 2
      for (let number = 1; number <= count; number++) {
        const outlines = await letterOutlines(await doc.getPage(number))
        if (!outlines) return false
        const picture = await pictures!.grayOfPage(count + number)
        if (whileFilled(outlines, picture.width, picture.height, (ours) => differ(ours, picture))) return false
      }
      return true
    })
  return withContent(specimen, read, { withOutlines: true })
}

/** How far the darkness of a block may differ, from 0 to 1. The same outlines stay below 0.15; a comma and a point differ by 0.39. */
const LIMIT = 0.25
/** Width and height of a block, in pixels. */
const BLOCK = 4
const LIMIT_OF_SUM = LIMIT * BLOCK * BLOCK
/** The number of pixels by which a letter may be shifted. */
const REACH = 1
/** Blocks begin at every second pixel, so each consists of four cells. */
const CELL = BLOCK / 2

/** Is there a block in one that is like no block nearby in the other? */
function differ(ours: Filled, theirs: GrayPicture): boolean {
  const { width, height } = theirs
  const columns = Math.floor((width - 2 * REACH) / CELL)
  const rows = Math.floor((height - 2 * REACH) / CELL)
  const isBlank = blankSpans(ours, theirs)
  let above = new Float32Array(columns)
  let here = new Float32Array(columns)
  for (let row = 0; row < rows; row++) {
    const y = REACH + row * CELL
    sumDifferences(here, ours, theirs, y, isBlank)
    for (let column = 1; row > 0 && column < columns; column++) {
      const sum = above[column - 1]! + above[column]! + here[column - 1]! + here[column]!
      // Most blocks are alike where they are; only for the others it pays to look around.
      if (Math.abs(sum) <= LIMIT_OF_SUM) continue
      if (isAlone(ours.covered, theirs, (y - CELL) * width + REACH + (column - 1) * CELL)) return true
    }
    ;[above, here] = [here, above]
  }
  return false
}

/** Which spans have nothing in them, in either picture. */
function blankSpans({ width, height, spans, isDrawn }: Filled, { data }: GrayPicture): Uint8Array {
  const isBlank = new Uint8Array(spans * height)
  const words =
    data.byteOffset % 4 === 0 && width % SPAN === 0
      ? new Uint32Array(data.buffer, data.byteOffset, data.length >> 2)
      : null
  for (let span = 0; words && span < isBlank.length; span++) {
    const at = span * WORDS
    const common = words[at]! & words[at + 1]! & words[at + 2]! & words[at + 3]!
    if (common === WHITE && isDrawn[span] === 0) isBlank[span] = 1
  }
  return isBlank
}

const WORDS = SPAN / 4
/** Four white pixels, as the operators on bits have them. */
const WHITE = -1

/** Sets, for each cell of a row of cells, by how much the sums of its pixels differ. @param y its first row of pixels */
function sumDifferences(
  cells: Float32Array,
  { covered, spans }: Filled,
  { data, width }: GrayPicture,
  y: number,
  isBlank: Uint8Array,
): void {
  for (let span = 0; span < spans; span++) {
    const [first, last] = [span * CELLS, Math.min(cells.length, (span + 1) * CELLS)]
    // The last of the cells reaches into the next span.
    const at = y * spans + span
    const next = span + 1 < spans ? 1 : 0
    if (isBlank[at]! & isBlank[at + next]! & isBlank[at + spans]! & isBlank[at + spans + next]!) {
      cells.fill(0, first, last)
      continue
    }
    for (let column = first; column < last; column++) {
      const pixel = y * width + REACH + column * CELL
      const dark = covered[pixel]! + covered[pixel + 1]! + covered[pixel + width]! + covered[pixel + width + 1]!
      const bright = data[pixel]! + data[pixel + 1]! + data[pixel + width]! + data[pixel + width + 1]!
      cells[column] = dark - (CELL * CELL - bright / 255)
    }
  }
}

/** How many cells begin in a span. */
const CELLS = SPAN / CELL

/** Has one of the blocks nothing like it in the other picture, however it is shifted? @param at its first pixel */
function isAlone(ours: Float32Array, { data, width }: GrayPicture, at: number): boolean {
  const inOurs = (shift: number) => sumOfBlock((pixel) => ours[pixel]!, at + shift, width)
  const inTheirs = (shift: number) => sumOfBlock((pixel) => 1 - data[pixel]! / 255, at + shift, width)
  const isLike = (sum: number, other: (shift: number) => number) =>
    SHIFTS.some((v) => SHIFTS.some((u) => Math.abs(sum - other(v * width + u)) <= LIMIT_OF_SUM))
  return !isLike(inOurs(0), inTheirs) || !isLike(inTheirs(0), inOurs)
}

const SHIFTS = Array.from({ length: 2 * REACH + 1 }, (_, i) => i - REACH)

function sumOfBlock(darkness: (pixel: number) => number, at: number, width: number): number {
  let sum = 0
  for (let y = 0; y < BLOCK; y++) {
    for (let x = 0; x < BLOCK; x++) sum += darkness(at + y * width + x)
  }
  return sum
}
