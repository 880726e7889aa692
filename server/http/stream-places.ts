/** Gives each stream that is held open a place, and frees it however the connection ends. */
import { BUSY_RETRY_MS } from '../choices.ts'
import { Busy } from '../domain/refusal.ts'
import type { StreamAnswer } from '../operations/row.ts'
import { createPlaces, type PlaceLimits } from './bodies/room.ts'
import type { Holder } from './callers/holder.ts'

export interface StreamPlaces {
  /** Throws `Busy` when there is no place left. */
  open(holder: Holder, follow: StreamAnswer): StreamAnswer
  /** Returns what is refused at the moment, in a sentence; null when nothing is. */
  refused(): string | null
}

/**
 * @param path of the streams
 * @param advice for a caller who finds no place
 */
export function streamPlaces(path: string, limits: PlaceLimits, advice: string): StreamPlaces {
  const places = createPlaces(limits)
  return {
    open({ group, name }, follow) {
      const leave = places.take(group, name)
      if (!leave) throw new Busy(BUSY_RETRY_MS, advice)
      return (to) => {
        // The listener may have gone while its session was looked up.
        if (to.destroyed) return leave()
        to.once('close', leave)
        follow(to)
      }
    },
    refused() {
      const { isFull, crowds } = places.crowding()
      if (isFull) return `streams: ${path} refuses all callers, because its ${limits.total} places are taken`
      if (crowds === 0) return null
      return `streams: ${path} refuses more to ${crowds === 1 ? '1 caller that holds' : `${crowds} callers that hold`} all places allowed`
    },
  }
}
