/**
 * Spends a rate that all instances share. Requests are taken from the store in slices and then let through from memory, so that
 * few of them write; a key that has none left does not write until one is there again. choice: Rate limit
 */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { RATE_SLICE_SHARE } from '../../choices.ts'
import { FILLS_IN_MS } from '../../domain/delivery/rate.ts'
import type { KeyRates } from '../../store/key-rates.ts'

/** This instance's knowledge of a key. A clock that was set back makes it ask the store again. */
interface Slice {
  left: number
  /** None is left, neither here nor in the store, until then. */
  noneUntil: number
  takenAt: number
  /** The pending request to the store, shared by all requests that wait for it. */
  taking: Promise<void> | null
}

/** Returns a function that takes one request of a key, or gives the milliseconds to wait for one. */
export function createSharedRate(
  keyRates: Pick<KeyRates, 'take'>,
  perMinute: number,
  clock: Clock,
): (keyId: string) => Promise<number> {
  const slices = new Map<string, Slice>()
  const most = Math.max(1, Math.floor(perMinute * RATE_SLICE_SHARE))

  async function refill(keyId: string, slice: Slice): Promise<void> {
    const at = timeOf(clock)
    const { taken, waitMs } = await keyRates.take(keyId, { perMinute, most }, at)
    slice.left = taken
    slice.takenAt = at.getTime()
    slice.noneUntil = slice.takenAt + waitMs
  }

  return async (keyId) => {
    const slice = slices.get(keyId) ?? { left: 0, noneUntil: 0, takenAt: 0, taking: null }
    slices.set(keyId, slice)
    for (;;) {
      const now = clock.now()
      const isFresh = now >= slice.takenAt && now < slice.takenAt + FILLS_IN_MS
      if (isFresh && slice.left > 0) {
        slice.left--
        return 0
      }
      if (isFresh && now < slice.noneUntil) return slice.noneUntil - now
      slice.taking ??= refill(keyId, slice).finally(() => {
        slice.taking = null
      })
      await slice.taking
    }
  }
}
