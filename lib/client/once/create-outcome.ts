/** Says what a failed POST of a task proves. It decides nothing: on `unknown` the caller must not send again. */
import { RefusedError, UnauthorizedError, UnexpectedResponseError, UnreachableError } from '../errors.ts'

/** `refused`: the service refused it permanently. `new`: certainly nothing was created. `unknown`: there may be a task. */
export type CreateOutcome = 'refused' | 'new' | 'unknown'

export function outcomeOfCreate(failure: unknown): CreateOutcome {
  if (failure instanceof UnauthorizedError) return 'new'
  if (failure instanceof RefusedError && failure.status === 429) return 'new'
  // 408 speaks of a request that was cut off, not of what the service made of it.
  if (failure instanceof RefusedError && failure.status !== 408) return 'refused'
  if (failure instanceof UnreachableError && !failure.mayHaveArrived) return 'new'
  // These say "not here"; the other redirects, 302 and 303, may follow a success.
  if (failure instanceof UnexpectedResponseError && [301, 307, 308, 404, 405].includes(failure.status)) return 'refused'
  return 'unknown'
}
