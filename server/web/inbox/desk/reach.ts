/** How far beyond its box a checkbox can be tapped: never so far that it is hit instead of its neighbour. Pure. */
import type { Box } from '../../../../lib/pdf/geometry.ts'
import type { Field } from '../../../../lib/pdf/placement/placement.ts'

/** The size of a touch target, in CSS pixels. */
const FINGER_PX = 44

/** Returns the CSS pixels beyond each side of the field's box, at most half the way to the nearest other field of the page. */
export function reachOf(fields: readonly Pick<Field, 'page' | 'box'>[], index: number, scale: number): number {
  const { page, box } = fields[index]!
  const others = fields.filter((other, i) => i !== index && other.page === page)
  const nearest = Math.min(...others.map((other) => distance(box, other.box)))
  const smallest = Math.min(box.right - box.left, box.bottom - box.top)
  return Math.max(0, Math.min((FINGER_PX - smallest * scale) / 2, (nearest * scale) / 2))
}

/** The larger of the gaps across and down: two boxes that each grow by half of it do not overlap. */
const distance = (a: Box, b: Box): number =>
  Math.max(0, a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom)
