/** Asks again until what was checked holds; fails as the last check did. */
import { setTimeout as pause } from 'node:timers/promises'

export async function eventually<T>(check: () => Promise<T> | T, withinMs = 15_000): Promise<T> {
  for (const until = Date.now() + withinMs; ; ) {
    try {
      return await check()
    } catch (failure) {
      if (Date.now() > until) throw failure
      await pause(20)
    }
  }
}
