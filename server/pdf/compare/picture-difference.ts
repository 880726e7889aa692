/** Compares two pictures of a page, pixel by pixel. Pure. */
import type { Box, PageSize } from '../../../lib/pdf/geometry.ts'
import type { Picture } from './pictures.ts'

export interface Tolerance {
  /** How much a channel may differ, of 255. */
  level: number
  /** How many pixels away the same colour may be: after the slightest shift edges are smoothed differently. */
  reach: number
}

/**
 * Does one picture show something that the other does not?
 * @param page its size in points
 * @param except places on the page, in points from the top left, that may look different
 */
export function picturesDiffer(
  a: Picture,
  b: Picture,
  page: PageSize,
  except: readonly Box[],
  tolerance: Tolerance,
): boolean {
  if (a.width !== b.width || a.height !== b.height) return true
  const [pixelsOfA, pixelsOfB] = [pixels(a), pixels(b)]
  const places = except.map((box) => onPicture(box, a, page))
  const [bytesOfA, bytesOfB] = [bytes(a), bytes(b)]
  const bytesPerRow = 4 * a.width
  for (let y = 0; y < a.height; y++) {
    // Most rows are equal, which is found out many times faster for a whole row.
    const [start, end] = [y * bytesPerRow, (y + 1) * bytesPerRow]
    if (bytesOfA.compare(bytesOfB, start, end, start, end) === 0) continue
    for (let x = 0; x < a.width; x++) {
      const at = y * a.width + x
      if (pixelsOfA[at] === pixelsOfB[at]) continue
      if (places.some(({ left, top, right, bottom }) => x >= left && x < right && y >= top && y < bottom)) continue
      if (!isNear(a, b, x, y, tolerance) || !isNear(b, a, x, y, tolerance)) return true
    }
  }
  return false
}

const bytes = ({ data }: Picture): Buffer => Buffer.from(data.buffer, data.byteOffset, data.byteLength)

const pixels = ({ data, width, height }: Picture): Uint32Array =>
  data.byteOffset % 4 === 0
    ? new Uint32Array(data.buffer, data.byteOffset, width * height)
    : new Uint32Array(data.slice().buffer, 0, width * height)

/** The box in pixels, and one more on each side, because its edges may lie within a pixel. */
function onPicture({ left, top, right, bottom }: Box, { width, height }: Picture, page: PageSize): Box {
  const [sx, sy] = [width / page.width, height / page.height]
  return {
    left: Math.floor(left * sx) - 1,
    top: Math.floor(top * sy) - 1,
    right: Math.ceil(right * sx) + 1,
    bottom: Math.ceil(bottom * sy) + 1,
  }
}

/** Does the other picture have the colour of this pixel too, there or close by? */
function isNear(from: Picture, to: Picture, x: number, y: number, { level, reach }: Tolerance): boolean {
  const at = 4 * (y * from.width + x)
  for (let v = Math.max(0, y - reach); v <= Math.min(to.height - 1, y + reach); v++) {
    for (let u = Math.max(0, x - reach); u <= Math.min(to.width - 1, x + reach); u++) {
      const other = 4 * (v * to.width + u)
      const isSame = [0, 1, 2].every((i) => Math.abs(from.data[at + i]! - to.data[other + i]!) <= level)
      if (isSame) return true
    }
  }
  return false
}
