/** Looks again until something is there. */
import type { Clock } from '../../clock.ts'

const FIRST_PAUSE_MS = 30
const LONGEST_PAUSE_MS = 2_000

/** Returns what `look` finds; null when it has found nothing after `patienceMs`. Looks less often the longer it takes. */
export async function waitFor<T>(look: () => Promise<T | null>, clock: Clock, patienceMs: number): Promise<T | null> {
  const until = clock.now() + patienceMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const found = await look()
    if (found !== null || clock.now() >= until) return found
    await clock.sleep(pause)
  }
}
