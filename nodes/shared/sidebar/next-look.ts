/** Looks that many editors ask for, of which one is under way at a time. */
import { shareAnswer } from '../../../lib/share-answer.ts'

/**
 * Returns a function that looks. Those who ask while a look is under way wait for it and share the next one, which sees what they have
 * changed. Rejects with `NotInTime` when a look takes longer than the limit; one that never ends is not followed by another.
 */
export function nextLook<T>(look: () => Promise<T>, limitMs: number): () => Promise<T> {
  const share = shareAnswer(look, limitMs)
  let last: Promise<unknown> | undefined
  return async () => {
    await last?.catch(() => {})
    const shared = share()
    last = shared
    return shared
  }
}
