/** The operands that are before the next operator of page content. */
import type { Value } from '../file/value.ts'

export interface Operands {
  count: number
  /** How many of the last ones are numbers. */
  numbers: number
  /** The last one that is no number, with what it is in. */
  last: { content: Buffer; value: Value } | null
  /** Where the last number is. */
  lastNumber: { content: Buffer; start: number; end: number } | null
  /** How many graphics states are kept, to be given back. */
  kept: number
}

export const noOperands = (): Operands => ({ count: 0, numbers: 0, last: null, lastNumber: null, kept: 0 })
