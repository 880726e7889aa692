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

/** Between fields that are added by pressing, in points. */
const GAP = 12

/**
 * Returns the first top, from the given one down, at which a new field with this left lies over no other field of its page; the given one
 * where there is no such place.
 */
export function freeTop(type: FieldType, page: Page, fields: readonly Field[], left: number, top: number): number {
  const others = fields.filter((field) => field.page === page.number).map(({ box }) => box)
  const tops = [top, ...others.map(({ bottom }) => bottom + GAP).filter((below) => below > top)].sort((a, b) => a - b)
  const [, height] = fieldKinds[type].size
  const isFree = (at: number) => {
    const { box } = fieldAt(0, type, page, left, at)
    return at + height <= page.height && !others.some((other) => overlap(box, other))
  }
  return tops.find(isFree) ?? top
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

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
