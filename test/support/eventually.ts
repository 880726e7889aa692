/** Repeats a check until it no longer throws, and returns what it returned. Throws what the last check threw when the time is over. */
import { setTimeout as pause } from 'node:timers/promises'
import { patience } from './patience.ts'

export async function eventually<T>(check: () => Promise<T> | T, withinMs = patience(15_000)): Promise<T> {
  for (const until = Date.now() + withinMs; ; ) {
    try {
      return await check()
    } catch (failure) {
      if (Date.now() > until) throw failure
      await pause(20)
    }
  }
}
