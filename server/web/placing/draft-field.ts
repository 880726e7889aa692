/** Fields on the pages of a sample: added, moved and resized, always inside their page. Pure. Points, top-left. */
import { type FieldType, fieldKinds, isForSigner } from '../../../lib/contract/task/field-kinds.ts'
import { type Box, keepOnPage, type PageSize } from '../../../lib/pdf/geometry.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'

export interface DraftField extends Field {
  /** Tells fields apart while they are edited. */
  key: number
}

/** A smaller field could not be taken hold of. */
const SMALLEST = 8
/** Half points are finer than anyone can see. */
const round = (value: number) => Math.round(value * 2) / 2

/** A page by its number, from 1. */
type Page = PageSize & { number: number }

/** Returns a new field with its top left at the point, in the size that its kind has by default. */
export function fieldAt(key: number, type: FieldType, page: Page, left: number, top: number): DraftField {
  const [width, height] = fieldKinds[type].size
  const box = inside({ left, top, right: left + width, bottom: top + height }, page)
  return { key, type, page: page.number, box, required: !isForSigner(type), value: null }
}

/** Returns the box moved to the right and down. */
export const moved = (box: Box, dx: number, dy: number, page: PageSize): Box =>
  inside({ left: box.left + dx, top: box.top + dy, right: box.right + dx, bottom: box.bottom + dy }, page)

/** Returns the box with its bottom right moved; its top left stays. */
export function resized({ left, top, right, bottom }: Box, dx: number, dy: number, page: PageSize): Box {
  return inside(
    {
      left,
      top,
      right: Math.min(Math.max(left + SMALLEST, right + dx), page.width),
      bottom: Math.min(Math.max(top + SMALLEST, bottom + dy), page.height),
    },
    page,
  )
}

function inside(box: Box, page: PageSize): Box {
  const { left, top, right, bottom } = keepOnPage(box, page)
  return { left: round(left), top: round(top), right: round(right), bottom: round(bottom) }
}
