/** Where fields stand, found out while the document was open to be accepted. Pure. choice: Placed when accepted */
import { isDeepStrictEqual } from 'node:util'
import type { Placed } from './placement.ts'

export interface EarlyPlacement {
  /** What asked for fields then, as the host wrote it. */
  tokens: readonly string[]
  outcome: Placed
}

/** Returns the outcome; null when there is none, or the host writes its tokens differently by now. */
export const placedBefore = (early: EarlyPlacement | null, tokens: readonly string[]): Placed | null =>
  early && isDeepStrictEqual(early.tokens, tokens) ? early.outcome : null
