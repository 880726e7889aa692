/** Repeats a call for a message that nobody sends again: as long as its failures pass by themselves. */
import { knownFailure } from '../runtime/failures.ts'
import { keepTrying } from '../runtime/keep-trying.ts'
import { kindOf } from '../runtime/kinds.ts'

export interface UntilAnsweredOptions {
  /** Aborted, it ends the repeating, and the result rejects with its reason. */
  signal: AbortSignal
  /** Told of the first failure that passes. */
  warn: (text: string) => void
}

/** Rejects with the first failure that does not pass. */
export async function untilAnswered<T>(call: () => Promise<T>, { signal, warn }: UntilAnsweredOptions): Promise<T> {
  let ended: (() => T) | undefined
  let isTold = false
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
  const onFailure = (failure: unknown) => {
    if (!isTold) warn(knownFailure(failure).message)
    isTold = true
  }
  await keepTrying(work, { signal, onFailure })
  if (ended) return ended()
  throw signal.reason
}
