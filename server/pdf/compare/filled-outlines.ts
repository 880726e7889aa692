/** Fills outlines of letters, so that they can be compared with a picture. Exact areas, no hinting. */
import type { Outline } from '../../../lib/pdf/fonts/letter-outlines.ts'

/** Outlines as they are filled, one pixel to a point. */
export interface Filled {
  width: number
  height: number
  /** How much of each pixel is covered, from 0 to 1; row by row from the top left. */
  covered: Float32Array
  /** How many spans of pixels a row has. */
  spans: number
  /** Whether a span may have something in it; row by row. Most are empty, so they need not be looked at. */
  isDrawn: Uint8Array
}

/** Width of a span, in pixels. */
export const SPAN = 16

/** The drawing commands of the outlines, as the reader of the pages numbers them. */
const [MOVE, LINE, CURVE, CLOSE] = [0, 1, 2, 4]
/** How many points follow each of them; the fourth is a quadratic curve. */
const POINTS: readonly number[] = [1, 1, 3, 2, 0]
/** Straight lines in place of a curve: enough for letters that are a few pixels high. */
const STEPS = 6

/** Room for more pixels than this is not kept: half a page full of letters. */
const MOST_KEPT = 1_500_000
/** Kept, all zero, because the system takes longer to hand out as much memory than it takes to fill letters in it. */
let room = new Float32Array(0)

/**
 * Lends the filled outlines. Signs without a width, such as vowels above and below letters, lie over what follows them. They are
 * filled apart, because fonts go around their letters in either direction, and areas of opposite directions would cancel each other
 * out.
 */
export function whileFilled<T>(
  outlines: readonly Outline[],
  width: number,
  height: number,
  use: (filled: Filled) => T,
): T {
  const pixels = width * height
  const lent = room.length < pixels ? new Float32Array(pixels) : room
  try {
    const letters = outlines.filter(({ isSign }) => !isSign)
    const filled = fill(letters, { width, height, covered: lent.subarray(0, pixels) })
    const signs = outlines.filter(({ isSign }) => isSign)
    if (signs.length > 0) add(filled, fill(signs, { width, height, covered: new Float32Array(pixels) }))
    return use(filled)
  } finally {
    if (pixels <= MOST_KEPT) room = lent.fill(0)
  }
}

function fill(outlines: readonly Outline[], empty: Omit<Filled, 'spans' | 'isDrawn'>): Filled {
  const spans = Math.ceil(empty.width / SPAN)
  const picture: Filled = { ...empty, spans, isDrawn: new Uint8Array(spans * empty.height) }
  // First by how much the covered area changes from pixel to pixel, then summed up along each row.
  for (const outline of outlines) addOutline(picture, outline)
  for (let row = 0; row < picture.height; row++) sumUp(picture, row)
  return picture
}

function add({ covered, isDrawn }: Filled, more: Filled): void {
  for (let at = 0; at < covered.length; at++) covered[at] = Math.max(covered[at]!, more.covered[at]!)
  for (let at = 0; at < isDrawn.length; at++) isDrawn[at]! |= more.isDrawn[at]!
}

/** What is left of a sum when all areas are closed, by rounding. */
const NOTHING = 1e-4

function sumUp({ width, covered, spans, isDrawn }: Filled, row: number): void {
  let sum = 0
  for (let span = 0; span < spans; span++) {
    if (isDrawn[row * spans + span] === 0) {
      if (Math.abs(sum) < NOTHING) continue
      isDrawn[row * spans + span] = 1
    }
    const end = row * width + Math.min(width, (span + 1) * SPAN)
    for (let at = row * width + span * SPAN; at < end; at++) {
      sum += covered[at]!
      covered[at] = Math.min(1, Math.abs(sum))
    }
  }
}

function addOutline(picture: Filled, { commands, x, y, size }: Outline): void {
  const bottom = picture.height - y
  let [startX, startY, fromX, fromY] = [0, 0, 0, 0]
  for (let i = 0; i < commands.length; ) {
    const command = commands[i]!
    const points = POINTS[command]
    if (points === undefined) return
    const x1 = x + size * commands[i + 1]!
    const y1 = bottom - size * commands[i + 2]!
    if (command === MOVE || command === CLOSE) {
      addLine(picture, fromX, fromY, startX, startY)
      if (command === MOVE) [startX, startY] = [x1, y1]
      ;[fromX, fromY] = [startX, startY]
    } else if (command === LINE) {
      addLine(picture, fromX, fromY, x1, y1)
      ;[fromX, fromY] = [x1, y1]
    } else {
      const x2 = x + size * commands[i + 3]!
      const y2 = bottom - size * commands[i + 4]!
      const isCubic = command === CURVE
      const toX = isCubic ? x + size * commands[i + 5]! : x2
      const toY = isCubic ? bottom - size * commands[i + 6]! : y2
      // A quadratic curve is a cubic one whose handles are two thirds of the way to its own.
      const [ax, ay] = isCubic ? [x1, y1] : [(fromX + 2 * x1) / 3, (fromY + 2 * y1) / 3]
      const [bx, by] = isCubic ? [x2, y2] : [(2 * x1 + x2) / 3, (2 * y1 + y2) / 3]
      let [lastX, lastY] = [fromX, fromY]
      for (let step = 1; step <= STEPS; step++) {
        const t = step / STEPS
        const u = 1 - t
        const [w0, w1, w2, w3] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
        const nextX = w0 * fromX + w1 * ax + w2 * bx + w3 * toX
        const nextY = w0 * fromY + w1 * ay + w2 * by + w3 * toY
        addLine(picture, lastX, lastY, nextX, nextY)
        ;[lastX, lastY] = [nextX, nextY]
      }
      ;[fromX, fromY] = [toX, toY]
    }
    i += 1 + 2 * points
  }
  addLine(picture, fromX, fromY, startX, startY)
}

/** Adds, to each row that the line crosses, the area to the right of the line. */
function addLine(picture: Filled, x0: number, y0: number, x1: number, y1: number): void {
  if (y0 === y1 || !Number.isFinite(x0 + y0 + x1 + y1)) return
  const { width, height, covered, spans, isDrawn } = picture
  const direction = y0 < y1 ? 1 : -1
  const [topX, endX] = y0 < y1 ? [x0, x1] : [x1, x0]
  const [topY, endY] = [Math.min(y0, y1), Math.max(y0, y1)]
  const slope = (endX - topX) / (endY - topY)
  const last = Math.min(height, Math.ceil(endY))
  for (let row = Math.max(0, Math.floor(topY)); row < last; row++) {
    const from = Math.max(topY, row)
    const to = Math.min(endY, row + 1)
    if (to <= from) continue
    const middle = topX + slope * ((from + to) / 2 - topY)
    // Within a row the line is taken as upright: less than half a pixel off.
    const x = Math.min(width - 1, Math.max(0, middle))
    const column = Math.floor(x)
    const amount = direction * (to - from)
    const here = amount * (column + 1 - x)
    covered[row * width + column]! += here
    isDrawn[row * spans + Math.floor(column / SPAN)] = 1
    if (column + 1 < width) {
      covered[row * width + column + 1]! += amount - here
      isDrawn[row * spans + Math.floor((column + 1) / SPAN)] = 1
    }
  }
}
