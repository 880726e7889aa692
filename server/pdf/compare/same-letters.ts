/**
 * Do the reader of the pages and another viewer draw the same letters? Fonts easily contradict themselves: they have several
 * maps from codes to glyphs, and programs that one viewer can read and another replaces. So each code that a document uses is
 * drawn by both, alone and large.
 */
import { letterOutlines } from '../../../lib/pdf/fonts/letter-outlines.ts'
import { withContent } from '../../../lib/pdf/text/content-reader.ts'
import { fillOutlines } from './filled-outlines.ts'
import { withPictures } from './pictures.ts'

/** @param specimen a document that shows the letters, see `writeSpecimen` */
export async function drawsSameLetters(specimen: Uint8Array): Promise<boolean> {
  return withContent(specimen, (doc) =>
    withPictures([specimen], async ([pictures]) => {
      for (let number = 1; number <= doc.numPages; number++) {
        const outlines = await letterOutlines(await doc.getPage(number))
        if (!outlines) return false
        const picture = await pictures!.ofPage(number, 1)
        const { width, height, data } = picture
        const ours = fillOutlines(outlines, width, height)
        const theirs = Float32Array.from(ours, (_, at) => 1 - data[4 * at]! / 255)
        if (largestDifference(ours, theirs, width, height) > LIMIT) return false
      }
      return true
    }),
  )
}

/** How far the darkness of a block may differ, from 0 to 1. The same outlines stay below 0.15; a comma and a point differ by 0.39. */
const LIMIT = 0.25
/** Width and height of a block, in pixels. */
const BLOCK = 4
/** By how many pixels a letter may be shifted. */
const REACH = 1

/** The largest difference, from 0 to 1, between a block of one picture and the block of the other nearby that is most like it. */
export function largestDifference(a: Float32Array, b: Float32Array, width: number, height: number): number {
  const [sumsOfA, sumsOfB] = [sums(a, width, height), sums(b, width, height)]
  const darkness = (of: Float64Array, x: number, y: number) => {
    const [top, bottom] = [y * (width + 1) + x, (y + BLOCK) * (width + 1) + x]
    return (of[bottom + BLOCK]! - of[bottom]! - of[top + BLOCK]! + of[top]!) / (BLOCK * BLOCK)
  }
  const leastDifference = (value: number, from: Float64Array, x: number, y: number) => {
    let least = 1
    for (let v = y - REACH; v <= y + REACH; v++) {
      for (let u = x - REACH; u <= x + REACH; u++) least = Math.min(least, Math.abs(value - darkness(from, u, v)))
    }
    return least
  }
  let largest = 0
  for (let y = REACH; y + BLOCK + REACH <= height; y += BLOCK / 2) {
    for (let x = REACH; x + BLOCK + REACH <= width; x += BLOCK / 2) {
      const [ofA, ofB] = [darkness(sumsOfA, x, y), darkness(sumsOfB, x, y)]
      if (Math.abs(ofA - ofB) <= largest) continue
      largest = Math.max(largest, leastDifference(ofA, sumsOfB, x, y), leastDifference(ofB, sumsOfA, x, y))
    }
  }
  return largest
}

/** At each place the sum of all values above and to the left of it, so that the sum of any block takes four look-ups. */
function sums(values: Float32Array, width: number, height: number): Float64Array {
  const found = new Float64Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += values[y * width + x]!
      found[(y + 1) * (width + 1) + x + 1] = found[y * (width + 1) + x + 1]! + row
    }
  }
  return found
}
