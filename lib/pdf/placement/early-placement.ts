/** Where fields are, found out while the document was open to be accepted. Pure. choice: Placed when accepted */
import { isDeepStrictEqual } from 'node:util'
import type { Annotations, Origin } from '../../contract/task/annotations.ts'
import type { Placed } from './placement.ts'

/** The fields that a sender requests. */
export interface Wanted {
  /** Which fields, and where. */
  annotations: Annotations
  /** Where the host measures its coordinates from. */
  origin: Origin
}

export interface EarlyPlacement {
  /** The tokens that requested fields then, as the host wrote them. */
  tokens: readonly string[]
  /** The fields, or why they cannot be placed. */
  outcome: Placed
  /** Whether the document has no text any more by which its fields could be placed again. */
  isFinal?: true
}

/** Returns the outcome; null when there is none, or the host writes its tokens differently by now and they can be looked for again. */
export const placedBefore = (early: EarlyPlacement | null, tokens: readonly string[]): Placed | null =>
  early && (early.isFinal || isDeepStrictEqual(early.tokens, tokens)) ? early.outcome : null
