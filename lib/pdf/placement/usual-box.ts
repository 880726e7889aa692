/** The box of a field that was asked for without one: of its usual size, or smaller where text would lie below it. Pure. */
import { type FieldType, fieldKind } from '../../contract/task/field-kinds.ts'
import { type Box, keepOnPage, type PageSize } from '../geometry.ts'

/** @param texts what is on the page, without what the field takes the place of */
export function usualBox(type: FieldType, left: number, top: number, page: PageSize, texts: readonly Box[]): Box {
  const { size, smallest } = fieldKind(type)
  const [width, height] = size
  return shrunk(keepOnPage({ left, top, right: left + width, bottom: top + height }, page), smallest, texts)
}

/**
 * Returns the box of a line grown to hold its ink too: braces and round letters reach beyond what fonts say of their height, and a
 * screen may draw the last letter, in a font of its own, up to a pixel further.
 */
export const aroundInk = ({ left, top, right, bottom }: Box, em: number): Box => ({
  left: left - 0.05 * em,
  top: top - 0.12 * em,
  right: right + 0.05 * em,
  bottom: bottom + 0.06 * em,
})

export const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top

/**
 * Returns the box with its lower and right edges drawn in, so that it ends before text that begins below the smallest height,
 * and before other text that begins beyond the smallest width. Its top left stays.
 */
function shrunk(box: Box, [width, height]: readonly [number, number], texts: readonly Box[]): Box {
  const lowest = Math.min(box.top + height, box.bottom)
  const nearest = Math.min(box.left + width, box.right)
  let { right, bottom } = box
  for (const { left, top } of texts.filter((text) => overlap(text, box))) {
    if (top >= lowest) bottom = Math.min(bottom, top)
    else if (left >= nearest) right = Math.min(right, left)
  }
  return { ...box, right, bottom }
}
