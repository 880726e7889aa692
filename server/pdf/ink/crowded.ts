/** Tells the texts that are too long for their boxes, because their letters would be too small to read. Pure. choice: Long texts in ink */
import type { FittedText, Room } from './fit-text.ts'
import type { DrawnText } from './stamp.ts'

/** In points. */
const SMALLEST_LEGIBLE = 4

/** Heights of letters that one line takes, from its top to that of the next, with a little room for rounding. */
const LINE = 1.35

/** Heights of letters that a short word is wide. */
const SHORT_WORD = 5

/** A box that has no room even for a short word is to blame itself: in such a box, the text gets the size that fits. */
export const isCrowded = ({ size }: FittedText, { width, height }: Room): boolean =>
  size < Math.min(SMALLEST_LEGIBLE, height / LINE, width / SHORT_WORD)

/** Returns the indexes of the fields that are crowded, also with what the sender wrote. */
export const crowdedFields = (drawn: readonly DrawnText[]): number[] =>
  drawn.flatMap(({ field, isCrowded }) => (isCrowded ? [field] : []))
