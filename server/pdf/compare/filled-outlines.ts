/** Fills outlines of letters, so that they can be compared with a picture. Exact areas, no hinting. */
import type { Outline } from '../../../lib/pdf/fonts/letter-outlines.ts'

/** The drawing commands of the outlines, as the reader of the pages numbers them. */
const [MOVE, LINE, CURVE, QUADRATIC, CLOSE] = [0, 1, 2, 3, 4]
/** Straight lines in place of a curve: enough for letters that are a few pixels high. */
const STEPS = 6

/**
 * How much of each pixel is covered, from 0 to 1; row by row from the top left, one pixel to a point. Signs without a width, such as
 * vowels above and below letters, lie over what follows them. They are filled apart, because fonts go around their letters in either
 * direction, and areas of opposite directions would cancel each other out.
 */
export function fillOutlines(outlines: readonly Outline[], width: number, height: number): Float32Array {
  const letters = filled(
    outlines.filter(({ isSign }) => !isSign),
    width,
    height,
  )
  const signs = outlines.filter(({ isSign }) => isSign)
  if (signs.length === 0) return letters
  const covered = filled(signs, width, height)
  for (let at = 0; at < covered.length; at++) covered[at] = Math.max(letters[at]!, covered[at]!)
  return covered
}

function filled(outlines: readonly Outline[], width: number, height: number): Float32Array {
  // First by how much the covered area changes from pixel to pixel, then summed up along each row.
  const covered = new Float32Array(width * height + width + 2)
  for (const outline of outlines) addOutline(covered, outline, width, height)
  for (let row = 0; row < height; row++) {
    let sum = 0
    for (let at = row * width; at < (row + 1) * width; at++) {
      sum += covered[at]!
      covered[at] = Math.min(1, Math.abs(sum))
    }
  }
  return covered.subarray(0, width * height)
}

function addOutline(changes: Float32Array, { commands, x, y, size }: Outline, width: number, height: number): void {
  let [startX, startY, fromX, fromY] = [0, 0, 0, 0]
  const line = (toX: number, toY: number) => {
    const across = (value: number) => x + size * value
    const down = (value: number) => height - y - size * value
    addLine(changes, across(fromX), down(fromY), across(toX), down(toY), width, height)
    fromX = toX
    fromY = toY
  }
  const close = () => {
    if (fromX !== startX || fromY !== startY) line(startX, startY)
  }
  for (let i = 0; i < commands.length; ) {
    const command = commands[i++]
    const next = () => commands[i++]!
    if (command === MOVE) {
      close()
      startX = fromX = next()
      startY = fromY = next()
    } else if (command === LINE) line(next(), next())
    else if (command === CURVE) {
      const [x0, y0, x1, y1, x2, y2, x3, y3] = [fromX, fromY, next(), next(), next(), next(), next(), next()]
      for (let step = 1; step <= STEPS; step++) {
        const t = step / STEPS
        const u = 1 - t
        const mix = (a: number, b: number, c: number, d: number) =>
          u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d
        line(mix(x0, x1, x2, x3), mix(y0, y1, y2, y3))
      }
    } else if (command === QUADRATIC) {
      const [x0, y0, x1, y1, x2, y2] = [fromX, fromY, next(), next(), next(), next()]
      for (let step = 1; step <= STEPS; step++) {
        const t = step / STEPS
        const u = 1 - t
        const mix = (a: number, b: number, c: number) => u * u * a + 2 * u * t * b + t * t * c
        line(mix(x0, x1, x2), mix(y0, y1, y2))
      }
    } else if (command === CLOSE) close()
    else return
  }
  close()
}

/** Adds, to each row that the line crosses, the area to the right of the line. */
function addLine(
  changes: Float32Array,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  width: number,
  height: number,
): void {
  if (y0 === y1 || !Number.isFinite(x0 + y0 + x1 + y1)) return
  const direction = y0 < y1 ? 1 : -1
  const [topX, topY, endX, endY] = y0 < y1 ? [x0, y0, x1, y1] : [x1, y1, x0, y0]
  const slope = (endX - topX) / (endY - topY)
  for (let row = Math.max(0, Math.floor(topY)); row < Math.min(height, Math.ceil(endY)); row++) {
    const [from, to] = [Math.max(topY, row), Math.min(endY, row + 1)]
    if (to <= from) continue
    const middle = topX + slope * ((from + to) / 2 - topY)
    // Within a row the line is taken as upright: less than half a pixel off.
    const x = Math.min(width - 1, Math.max(0, middle))
    const column = Math.floor(x)
    const amount = direction * (to - from)
    const here = amount * (column + 1 - x)
    changes[row * width + column]! += here
    if (column + 1 < width) changes[row * width + column + 1]! += amount - here
  }
}
