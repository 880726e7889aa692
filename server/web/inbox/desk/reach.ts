/** How far around a checkbox a finger may hit it. Never so far that it is hit instead of its neighbour. Pure. */
import type { Box } from '../../../../lib/pdf/geometry.ts'
import type { Field } from '../../../../lib/pdf/placement/placement.ts'

/** What a finger needs, in CSS pixels. */
const FINGER_PX = 44

/** CSS pixels beyond each side of the field's box: half the way to the nearest other field of the page at most. */
export function reachOf(fields: readonly Pick<Field, 'page' | 'box'>[], index: number, scale: number): number {
  const { page, box } = fields[index]!
  const others = fields.filter((other, i) => i !== index && other.page === page)
  const nearest = Math.min(...others.map((other) => distance(box, other.box)))
  const smallest = Math.min(box.right - box.left, box.bottom - box.top)
  return Math.max(0, Math.min((FINGER_PX - smallest * scale) / 2, (nearest * scale) / 2))
}

/** The longer of the ways across and down: two boxes that grow by half of it do not meet. */
const distance = (a: Box, b: Box): number =>
  Math.max(0, a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom)
