/** One question for all who ask at the same time, with a limit on how long they wait for the answer. */
import { setTimeout as delay } from 'node:timers/promises'

/** The answer did not come within the limit. */
export class NotInTime extends Error {
  override readonly name = 'NotInTime'
}

/**
 * Returns a function that asks, or shares the answer of a question that is under way, and rejects with `NotInTime` when the answer
 * takes longer than the limit. A question that never ends is not asked a second time, and those who come later are refused at once.
 */
export function shareAnswer<T>(ask: () => Promise<T>, limitMs: number): () => Promise<T> {
  let underWay: Promise<T> | null = null
  return () => {
    if (underWay) return underWay
    const answer = ask()
    const limited = within(answer, limitMs)
    underWay = limited
    const end = () => {
      underWay = null
    }
    answer.then(end, end)
    return limited
  }
}

async function within<T>(answer: Promise<T>, limitMs: number): Promise<T> {
  const over = new AbortController()
  const late = delay(limitMs, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new NotInTime('The answer did not come in time.')
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    over.abort()
    late.catch(() => {})
  }
}
