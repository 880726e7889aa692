/** How much a node keeps of what it has accepted, and when that comes again, as its form says. */
import { numberOr } from '../form/form-values.ts'
import type { Config } from '../runtime/node-red.ts'

export const MEGABYTE = 1024 * 1024

export interface KeepSettings {
  /** The most bytes of messages to keep. */
  maxBytes: number
  repeatMs: number
}

export const keepSettings = (config: Config): KeepSettings => ({
  maxBytes: numberOr(config.keepLimit, 500) * MEGABYTE,
  repeatMs: numberOr(config.repeat, 10) * 60_000,
})
