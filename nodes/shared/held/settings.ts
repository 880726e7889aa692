/** The settings of the node held, read from its form. */
import { numberOr } from '../form/form-values.ts'
import { MEGABYTE } from '../intake/keep-settings.ts'
import type { Config } from '../runtime/node-red.ts'

export interface HeldSettings {
  maxMessages: number
  /** The most bytes of messages to keep. */
  maxBytes: number
  /** After how many days there is a warning of a message; 0 for never. */
  maxDays: number
}

export const heldSettings = ({ maxMessages, keepLimit, maxDays }: Config): HeldSettings => ({
  maxMessages: numberOr(maxMessages, 1000),
  maxBytes: numberOr(keepLimit, 500) * MEGABYTE,
  maxDays: numberOr(maxDays, 7),
})
