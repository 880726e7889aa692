/** The settings of the node held, read from its form. */
import { numberOr } from '../form/form-values.ts'
import { MEGABYTE } from '../intake/keep-settings.ts'
import type { Config } from '../runtime/node-red.ts'

export interface HeldSettings {
  maxMessages: number
  /** The most characters of sealed messages to keep. */
  maxChars: number
  /** After how many days there is a warning of a message; 0 for never. */
  maxDays: number
}

export const heldSettings = ({ maxMessages, keepLimit, maxDays }: Config): HeldSettings => ({
  maxMessages: numberOr(maxMessages, 1000),
  maxChars: numberOr(keepLimit, 500) * MEGABYTE,
  maxDays: numberOr(maxDays, 7),
})
