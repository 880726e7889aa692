/** How much a node keeps of what it has accepted, and when that comes again, as its form says. */
import type { Config } from '../runtime/node-red.ts'

export const MEGABYTE = 1024 * 1024

export interface KeepSettings {
  /** The most characters of sealed messages to keep. */
  maxChars: number
  repeatMs: number
}

export const keepSettings = (config: Config): KeepSettings => ({
  maxChars: numberOr(config.keepLimit, 500) * MEGABYTE,
  repeatMs: numberOr(config.repeat, 10) * 60_000,
})

export function numberOr(given: unknown, fallback: number): number {
  const number = Number(String(given ?? '').trim() || Number.NaN)
  return Number.isFinite(number) && number >= 0 ? number : fallback
}
