/** The lines and areas of a path: plain where they are so large that every viewer draws them. */
import { apply, type Matrix } from '../matrix.ts'
import { NotPlain } from './not-plain.ts'

export interface Path {
  /** Adds what one operator of a path draws. @param matrix from its space to that of the page */
  add(operator: string, numbers: readonly number[], matrix: Matrix): void
  /**
   * Called with the operator that paints the path.
   * @param lineWidth on the page, in points
   * @param isSeen which of them show at all; both by default
   */
  paint(operator: string, lineWidth: number, isSeen?: Seen): void
}

/** In points from the origin of the page: far beyond every page, and within the numbers of every viewer. */
const FARTHEST = 30_000
/** In points. Some viewers draw what is thinner as a line, others do not draw it. */
const THINNEST = 0.1
/** In points. Viewers draw the insides of curves and the corners of wider lines differently. */
const WIDEST_AROUND_CORNERS = 4
/** In points. A line of this width hides the hair that some viewers draw for the area of a single straight line. */
const WIDTH_THAT_COVERS = 0.5

/** Whether areas, and lines, show at all. */
export interface Seen {
  fill: boolean
  stroke: boolean
}

type Point = readonly [number, number]
type Points = readonly Point[]

export function newPath(): Path {
  let parts: Point[][] = []
  /** The part that lines are added to; null after one that was closed, whose first point they begin from. */
  let open: Point[] | null = null
  let start: Point | undefined
  let isClip = false
  /** Whether it has other parts than rectangles and single straight lines. */
  let hasCorners = false

  const begin = (points: Point[], isOpen: boolean) => {
    parts.push(points)
    open = isOpen ? points : null
    start = points[0]
  }

  return {
    add(operator, numbers, matrix) {
      if (operator === 'm') {
        // A point that another one follows at once is forgotten.
        if (open?.length === 1) parts.pop()
        begin(pointsOf(numbers, matrix), true)
      } else if (operator === 're') begin(corners(numbers, matrix), false)
      else if (operator === 'W' || operator === 'W*') isClip = true
      else if (operator === 'h') open = null
      else {
        if (!open && start) begin([start], true)
        hasCorners ||= operator !== 'l' || (open?.length ?? 0) > 1
        open?.push(...pointsOf(numbers, matrix))
      }
    },
    paint(operator, lineWidth, isSeen = { fill: true, stroke: true }) {
      const isFilled = isClip || (isSeen.fill && !['S', 's', 'n'].includes(operator))
      const isStroked = isSeen.stroke && !['f', 'F', 'f*', 'n'].includes(operator)
      // A point alone, which was not closed, draws nothing.
      if (['S', 'B', 'B*'].includes(operator) && open?.length === 1) parts.pop()
      if (isStroked && !parts.every(hasLength)) throw new NotPlain('lines without length')
      if (isStroked && hasCorners && lineWidth > WIDEST_AROUND_CORNERS) throw new NotPlain('wide lines around corners')
      const isCovered = ['B', 'B*'].includes(operator) && isStroked && !isClip && lineWidth >= WIDTH_THAT_COVERS
      const isNarrow = (part: Points) => !hasArea(part) && !(isCovered && part.length === 2) && !liesWithin(part, parts)
      if (isFilled && parts.some(isNarrow)) throw new NotPlain('areas without width')
      parts = []
      open = null
      start = undefined
      isClip = false
      hasCorners = false
    },
  }
}

export function pointsOf(numbers: readonly number[], matrix: Matrix): Point[] {
  const points: Point[] = []
  for (let i = 0; i + 1 < numbers.length; i += 2) points.push(onPage(numbers[i]!, numbers[i + 1]!, matrix))
  return points
}

/** Returns the point on the page. Throws a `NotPlain` for one that is too far away for some viewers. */
export function onPage(x: number, y: number, matrix: Matrix): Point {
  const point = apply(matrix, x, y)
  if (!point.every((number) => Math.abs(number) <= FARTHEST)) throw new NotPlain('drawings far outside of its pages')
  return point
}

function corners([x, y, width, height]: readonly number[], matrix: Matrix): Point[] {
  const [left, bottom, right, top] = [x!, y!, x! + width!, y! + height!]
  return pointsOf([left, bottom, right, bottom, right, top, left, top], matrix)
}

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(bx - ax, by - ay)

const hasLength = (part: Points): boolean => part.some((point) => distance(point, part[0]!) > 0.01)

/**
 * Twice the area, divided by the length of the edge, is the width of a long band. Some viewers draw a line where an edge turns back
 * over itself. A last `m` alone draws nothing.
 */
function hasArea(part: Points): boolean {
  if (part.length === 1) return true
  let [area, edge] = [0, 0]
  for (const [i, point] of part.entries()) {
    const next = part[(i + 1) % part.length]!
    area += point[0] * next[1] - next[0] * point[1]
    edge += distance(point, next)
    if (turnsBack(point, next, part[(i + 2) % part.length]!)) return false
  }
  return edge > 0 && Math.abs(area) / edge >= THINNEST
}

/** Whether a part lies within an upright rectangle of the same path, or on its edge, so that a hair for it is not seen. */
function liesWithin(part: Points, parts: readonly Points[]): boolean {
  return parts.some((other) => {
    if (!isUprightRectangle(other)) return false
    const [left, bottom, right, top] = frameOf(other)
    return part.every(([x, y]) => x >= left - NEAR && x <= right + NEAR && y >= bottom - NEAR && y <= top + NEAR)
  })
}

/** In points. */
const NEAR = 0.01

const frameOf = (part: Points) => {
  const [xs, ys] = [part.map(([x]) => x), part.map(([, y]) => y)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const
}

function isUprightRectangle(part: Points): boolean {
  const [a, b, c, d] = part
  if (part.length !== 4 || !a || !b || !c || !d || !hasArea(part)) return false
  const isLevel = (p: Point, q: Point) => Math.abs(p[1] - q[1]) < NEAR
  const isSteep = (p: Point, q: Point) => Math.abs(p[0] - q[0]) < NEAR
  return (
    (isLevel(a, b) && isSteep(b, c) && isLevel(c, d) && isSteep(d, a)) ||
    (isSteep(a, b) && isLevel(b, c) && isSteep(c, d) && isLevel(d, a))
  )
}

function turnsBack(a: Point, b: Point, c: Point): boolean {
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], c[0] - b[0], c[1] - b[1]]
  const lengths = Math.hypot(ux, uy) * Math.hypot(vx, vy)
  return Math.min(Math.hypot(ux, uy), Math.hypot(vx, vy)) > 1 && ux * vx + uy * vy < -0.9999 * lengths
}

/** A matrix that makes an area of an area. */
export function regular(numbers: readonly number[]): Matrix {
  const [a, b, c, d] = numbers as unknown as Matrix
  if (Math.abs(a * d - b * c) < 1e-9) throw new NotPlain('drawings without width')
  return numbers as unknown as Matrix
}

/** By quarter turns at most. */
export const isUpright = ([a, b, c, d]: Matrix): boolean =>
  Math.max(Math.min(Math.abs(a), Math.abs(b)), Math.min(Math.abs(c), Math.abs(d))) < 1e-6

export const largestScale = ([a, b, c, d]: Matrix): number => Math.max(Math.hypot(a, b), Math.hypot(c, d))
