/** Fields on the pages of a template: added, moved and resized, always inside their page. Pure. Points, top-left. */
import { type FieldType, fieldKinds, isForSigner } from '../../../../lib/contract/task/field-kinds.ts'
import { type Box, keepOnPage, type PageSize } from '../../../../lib/pdf/geometry.ts'
import type { Field } from '../../../../lib/pdf/placement/placement.ts'

export interface DraftField extends Field {
  /** Tells fields apart while they are edited. */
  key: number
}

/** Below it a field cannot be taken hold of. */
const SMALLEST = 8
/** Half points are finer than anybody can see. */
const round = (value: number) => Math.round(value * 2) / 2

/** A new field with its top left at the point. */
export function fieldAt(
  key: number,
  type: FieldType,
  number: number,
  left: number,
  top: number,
  page: PageSize,
): DraftField {
  const [width, height] = fieldKinds[type].size
  const box = inside({ left, top, right: left + width, bottom: top + height }, page)
  return { key, type, page: number, box, required: !isForSigner(type), value: null }
}

export const moved = (box: Box, dx: number, dy: number, page: PageSize): Box =>
  inside({ left: box.left + dx, top: box.top + dy, right: box.right + dx, bottom: box.bottom + dy }, page)

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
