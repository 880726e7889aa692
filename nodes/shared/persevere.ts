/** Does something until it succeeds or is told to stop, with longer and longer pauses. It never rejects. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Perseverance {
  signal: AbortSignal
  /** Told of each failure before the pause that follows it. */
  onFailure: (failure: unknown) => void
}

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

export async function persevere(work: () => Promise<void>, { signal, onFailure }: Perseverance): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (failure) {
      if (signal.aborted) return
      onFailure(failure)
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }
}
