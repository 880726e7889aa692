/** Expands Flate data within a limit. Never throws. */
import { constants, inflateSync } from 'node:zlib'

/**
 * Returns what the data expands to, as far as it goes when its end is missing; `too large` when that is more than `cap` bytes.
 */
export function inflate(data: Uint8Array, cap: number): Buffer | 'too large' | 'damaged' {
  try {
    return inflateSync(data, { maxOutputLength: Math.max(1, cap), finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'damaged'
  }
}
