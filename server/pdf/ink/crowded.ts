/** Tells the texts that are too long for their boxes, because their letters would be too small to read. Pure. choice: Long texts in ink */
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import type { Ink } from '../completion.ts'
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

/** Returns the indexes of fields that are crowded with what the signer wrote. What the sender wrote is the sender's to answer for. */
export const crowdedBySigner = (drawn: readonly DrawnText[], { fields, values }: Pick<Ink, 'fields' | 'values'>) =>
  drawn.flatMap(({ field, isCrowded }) => (isCrowded && isOwn(fields[field]!, values[field]) ? [field] : []))

const isOwn = ({ value }: Field, given: string | boolean | undefined): boolean =>
  given !== undefined && given !== (value ?? '')
