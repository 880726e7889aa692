/** Repeats work until it succeeds or is told to stop, with growing pauses. Never rejects. */
import { grown, SERVICE_BACK_OFF, spread } from '../../../lib/back-off.ts'
import { systemClock } from '../../../lib/clock.ts'

export interface KeepTryingOptions {
  signal: AbortSignal
  /** Called with each failure, before the pause that follows. */
  onFailure: (failure: unknown) => void
}

export async function keepTrying(work: () => Promise<void>, { signal, onFailure }: KeepTryingOptions): Promise<void> {
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      return await work()
    } catch (failure) {
      if (signal.aborted) return
      onFailure(failure)
      await systemClock.sleep(spread(grown(SERVICE_BACK_OFF, failures), Math.random()), signal).catch(() => {})
    }
  }
}
