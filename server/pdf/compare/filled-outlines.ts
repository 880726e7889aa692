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
  const points = roomForPoints(outlines)
  for (const outline of outlines) addOutline(picture, outline, points)
  for (let row = 0; row < picture.height; row++) sumUp(picture, row)
  return picture
}

function add({ covered, isDrawn }: Filled, more: Filled): void {
  for (let at = 0; at < covered.length; at++) covered[at] = Math.max(covered[at]!, more.covered[at]!)
  for (let at = 0; at < isDrawn.length; at++) isDrawn[at]! |= more.isDrawn[at]!
}

/** The rest of a sum when all areas are closed, by rounding. */
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

/**
 * Points of one outline at a time, two numbers each; straight lines lead from each to the next, and NaN is between two paths. Handed
 * from function to function one by one, each number would be an object for the garbage collector.
 */
type Points = Float64Array

/** How many points come of each number of the commands, at most: six of a quadratic curve, which has five. */
const MOST_POINTS = STEPS / 5

function roomForPoints(outlines: readonly Outline[]): Points {
  const longest = outlines.reduce((most, { commands }) => Math.max(most, commands.length), 0)
  return new Float64Array(2 * (2 + Math.ceil(MOST_POINTS * longest)))
}

function addOutline(picture: Filled, outline: Outline, points: Points): void {
  const count = flatten(outline, picture.height, points)
  for (let point = 1; point < count; point++) addLine(picture, points, point)
}

/** Sets the points. Returns how many there are. */
function flatten({ commands, x, y, size }: Outline, height: number, points: Points): number {
  const bottom = height - y
  let [startX, startY, fromX, fromY] = [0, 0, 0, 0]
  points[0] = startX
  points[1] = startY
  let end = 2
  for (let i = 0; i < commands.length; ) {
    const command = commands[i]!
    const following = POINTS[command]
    if (following === undefined) return end / 2
    const x1 = x + size * commands[i + 1]!
    const y1 = bottom - size * commands[i + 2]!
    if (command === MOVE || command === CLOSE) {
      points[end++] = startX
      points[end++] = startY
      if (command === MOVE) {
        points[end++] = Number.NaN
        points[end++] = Number.NaN
        points[end++] = x1
        points[end++] = y1
        startX = x1
        startY = y1
      }
      fromX = startX
      fromY = startY
    } else if (command === LINE) {
      points[end++] = x1
      points[end++] = y1
      fromX = x1
      fromY = y1
    } else {
      const x2 = x + size * commands[i + 3]!
      const y2 = bottom - size * commands[i + 4]!
      const isCubic = command === CURVE
      const toX = isCubic ? x + size * commands[i + 5]! : x2
      const toY = isCubic ? bottom - size * commands[i + 6]! : y2
      // A quadratic curve is a cubic one whose handles are two thirds of the way to its own.
      const ax = isCubic ? x1 : (fromX + 2 * x1) / 3
      const ay = isCubic ? y1 : (fromY + 2 * y1) / 3
      const bx = isCubic ? x2 : (2 * x1 + x2) / 3
      const by = isCubic ? y2 : (2 * y1 + y2) / 3
      for (let step = 1; step < STEPS; step++) {
        const t = step / STEPS
        const u = 1 - t
        points[end++] = u * u * u * fromX + 3 * u * u * t * ax + 3 * u * t * t * bx + t * t * t * toX
        points[end++] = u * u * u * fromY + 3 * u * u * t * ay + 3 * u * t * t * by + t * t * t * toY
      }
      points[end++] = toX
      points[end++] = toY
      fromX = toX
      fromY = toY
    }
    i += 1 + 2 * following
  }
  points[end++] = startX
  points[end++] = startY
  return end / 2
}

/** Adds, to each row that the line to the point crosses, the area to the right of the line. */
function addLine(picture: Filled, points: Points, point: number): void {
  const x0 = points[2 * point - 2]!
  const y0 = points[2 * point - 1]!
  const x1 = points[2 * point]!
  const y1 = points[2 * point + 1]!
  if (y0 === y1 || !Number.isFinite(x0 + y0 + x1 + y1)) return
  const { width, height, covered, spans, isDrawn } = picture
  const isDown = y0 < y1
  const topX = isDown ? x0 : x1
  const topY = isDown ? y0 : y1
  const endY = isDown ? y1 : y0
  const slope = (x1 - x0) / (y1 - y0)
  const last = Math.min(height, Math.ceil(endY))
  for (let row = Math.max(0, Math.floor(topY)); row < last; row++) {
    const from = Math.max(topY, row)
    const to = Math.min(endY, row + 1)
    if (to <= from) continue
    const middle = topX + slope * ((from + to) / 2 - topY)
    // Within a row the line is taken as upright: less than half a pixel off.
    const x = Math.min(width - 1, Math.max(0, middle))
    const column = Math.floor(x)
    const amount = isDown ? to - from : from - to
    const here = amount * (column + 1 - x)
    covered[row * width + column]! += here
    isDrawn[row * spans + Math.floor(column / SPAN)] = 1
    if (column + 1 < width) {
      covered[row * width + column + 1]! += amount - here
      isDrawn[row * spans + Math.floor((column + 1) / SPAN)] = 1
    }
  }
}
