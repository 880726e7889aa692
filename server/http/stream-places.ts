/** Gives each stream that is held open a place, and frees it however the connection ends. */
import { BUSY_RETRY_MS } from '../choices.ts'
import { Busy } from '../domain/refusal.ts'
import type { StreamAnswer } from '../operations/row.ts'
import { createPlaces, type PlaceLimits } from './bodies/room.ts'
import type { Holder } from './callers/holder.ts'

/** @param advice what the caller is called with the time at which there is no place left */
export function streamPlaces(limits: PlaceLimits, advice: string) {
  const places = createPlaces(limits)
  /** Throws `Busy` when there is no place left. */
  return ({ group, name }: Holder, follow: StreamAnswer): StreamAnswer => {
    const leave = places.take(group, name)
    if (!leave) throw new Busy(BUSY_RETRY_MS, advice)
    return (to) => {
      // The listener may have gone while its session was looked up.
      if (to.destroyed) return leave()
      to.once('close', leave)
      follow(to)
    }
  }
}
