/** Repeats a call for a message that no one sends again: as long as its failures pass by themselves. */
import { knownFailure } from '../runtime/failures.ts'
import { keepTrying } from '../runtime/keep-trying.ts'
import { kindOf } from '../runtime/kinds.ts'

export interface UntilAnsweredOptions {
  /** Aborted, it ends the repeating, and the result rejects with its reason. */
  signal: AbortSignal
  /** Called with each failure that passes. */
  onRetry: (failure: unknown) => void
}

/** Rejects with the first failure that does not pass. */
export async function untilAnswered<T>(call: () => Promise<T>, { signal, onRetry }: UntilAnsweredOptions): Promise<T> {
  let ended: (() => T) | undefined
  const work = async () => {
    try {
      const answer = await call()
      ended = () => answer
    } catch (failure) {
      if (kindOf(knownFailure(failure)).retryable) throw failure
      ended = () => {
        throw failure
      }
    }
  }
  await keepTrying(work, { signal, onFailure: onRetry })
  if (ended) return ended()
  throw signal.reason
}
