/**
 * Do the reader of the pages and another viewer draw the same letters? Fonts easily contradict themselves: they have several
 * maps from codes to glyphs, and programs that one viewer can read and another replaces. So each code that a document uses is
 * drawn by both, alone and large.
 */
import { letterOutlines } from '../../../lib/pdf/fonts/letter-outlines.ts'
import { type ReaderDocument, withContent } from '../../../lib/pdf/text/content-reader.ts'
import { fillOutlines } from './filled-outlines.ts'
import { type GrayPicture, withPictures } from './pictures.ts'

/** @param specimen a document that shows the letters, see `writeSpecimen` */
export async function drawsSameLetters(specimen: Uint8Array): Promise<boolean> {
  const read = (doc: ReaderDocument) =>
    withPictures([specimen], async ([pictures]) => {
      for (let number = 1; number <= doc.numPages; number++) {
        const outlines = await letterOutlines(await doc.getPage(number))
        if (!outlines) return false
        const picture = await pictures!.grayOfPage(number)
        if (differ(fillOutlines(outlines, picture.width, picture.height), picture)) return false
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
/** By how many pixels a letter may be shifted. */
const REACH = 1
/** Blocks begin at every second pixel, so each consists of four cells. */
const CELL = BLOCK / 2

/** Is there a block in one that is like no block nearby in the other? @param ours how dark each pixel is, from 0 to 1 */
function differ(ours: Float32Array, theirs: GrayPicture): boolean {
  const { width, height } = theirs
  const columns = Math.floor((width - 2 * REACH) / CELL)
  const rows = Math.floor((height - 2 * REACH) / CELL)
  let above = new Float32Array(columns)
  let here = new Float32Array(columns)
  for (let row = 0; row < rows; row++) {
    const y = REACH + row * CELL
    sumDifferences(here, ours, theirs, REACH + y * width)
    for (let column = 1; row > 0 && column < columns; column++) {
      const sum = above[column - 1]! + above[column]! + here[column - 1]! + here[column]!
      // Most blocks are alike where they are; only for the others it pays to look around.
      if (Math.abs(sum) <= LIMIT_OF_SUM) continue
      if (isAlone(ours, theirs, (y - CELL) * width + REACH + (column - 1) * CELL)) return true
    }
    ;[above, here] = [here, above]
  }
  return false
}

/** Sets, for each cell of a row of cells, by how much the sums of its pixels differ. @param start its first pixel */
function sumDifferences(cells: Float32Array, ours: Float32Array, theirs: GrayPicture, start: number): void {
  const { data, width } = theirs
  for (let column = 0, at = start; column < cells.length; column++, at += CELL) {
    const dark = ours[at]! + ours[at + 1]! + ours[at + width]! + ours[at + width + 1]!
    const bright = data[at]! + data[at + 1]! + data[at + width]! + data[at + width + 1]!
    cells[column] = dark - (CELL * CELL - bright / 255)
  }
}

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
