/**
 * Places on a page in two systems, and the way between them. Pure numbers: knows no PDF and draws nothing.
 *
 * Displayed page: points, origin top-left, y down, after /Rotate and inside the crop box. The interface speaks it.
 * User space: points, y up, origin wherever the page's boxes say. The content of a PDF speaks it.
 */

/** A place on the displayed page. */
export interface Box {
  /** Points from the left edge of the page. */
  left: number
  /** Points from the top edge of the page. */
  top: number
  /** Points from the left edge of the page; greater than `left`. */
  right: number
  /** Points from the top edge of the page; greater than `top`. */
  bottom: number
}

/** Returns the smallest box around the points. */
export function boxAround(points: readonly Point[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const [x, y] of points) {
    box.left = Math.min(box.left, x)
    box.top = Math.min(box.top, y)
    box.right = Math.max(box.right, x)
    box.bottom = Math.max(box.bottom, y)
  }
  return box
}

/** A place in the user space of a page. */
export interface Rectangle {
  x0: number
  y0: number
  x1: number
  y1: number
}

/** Size of a page as displayed, in points. */
export interface PageSize {
  /** In points. */
  width: number
  /** In points. */
  height: number
}

/** The visible part of a page (its crop box inside its media box), its clockwise rotation, and its size. */
export interface PageFrame extends Rectangle, PageSize {
  rotate: 0 | 90 | 180 | 270
}

export type Point = readonly [x: number, y: number]

/** Converts a point of the displayed page to user space. */
export function toUser(frame: PageFrame, [x, y]: Point): Point {
  switch (frame.rotate) {
    case 90:
      return [frame.x0 + y, frame.y0 + x]
    case 180:
      return [frame.x1 - x, frame.y0 + y]
    case 270:
      return [frame.x1 - y, frame.y1 - x]
    default:
      return [frame.x0 + x, frame.y1 - y]
  }
}

/** Converts a point of user space to the displayed page. */
export function toDisplay(frame: PageFrame, [x, y]: Point): Point {
  switch (frame.rotate) {
    case 90:
      return [y - frame.y0, x - frame.x0]
    case 180:
      return [frame.x1 - x, y - frame.y0]
    case 270:
      return [frame.y1 - y, frame.x1 - x]
    default:
      return [x - frame.x0, frame.y1 - y]
  }
}

/** Converts a box to user space. Its corners are sorted again, because a turn swaps them. */
export function toRectangle(frame: PageFrame, box: Box): Rectangle {
  const [ax, ay] = toUser(frame, [box.left, box.top])
  const [bx, by] = toUser(frame, [box.right, box.bottom])
  return { x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) }
}

/** Returns the box moved onto the page, and cut where it is larger than the page. */
export function keepOnPage(box: Box, page: PageSize): Box {
  const width = Math.min(box.right - box.left, page.width)
  const height = Math.min(box.bottom - box.top, page.height)
  const left = Math.max(0, Math.min(box.left, page.width - width))
  const top = Math.max(0, Math.min(box.top, page.height - height))
  return { left, top, right: left + width, bottom: top + height }
}
