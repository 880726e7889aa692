/** Translates an error of the sign-on library into an outcome that the user can act on. */
import * as client from 'openid-client'
import { ProviderFailure } from './provider-failure.ts'

/** Throws what the library failed with as a `ProviderFailure`. */
export function outcomeOf(failure: unknown): never {
  if (failure instanceof ProviderFailure) throw failure
  if (failure instanceof client.AuthorizationResponseError)
    throw new ProviderFailure(PASSING.has(failure.error) ? 'away' : 'declined', wordOf(failure.error))
  if (failure instanceof client.ResponseBodyError)
    throw new ProviderFailure(isPassing(failure.status) ? 'away' : 'untrusted', wordOf(failure.error))
  const { code, cause } = failure as { code?: string; cause?: unknown }
  if (cause instanceof Response)
    throw new ProviderFailure(isPassing(cause.status) ? 'away' : 'untrusted', `${cause.status}`)
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') throw new ProviderFailure('away', code)
  // The error of `fetch` when there is no connection.
  if (failure instanceof TypeError && code === undefined)
    throw new ProviderFailure('away', wordOf((cause as { code?: unknown } | undefined)?.code))
  throw new ProviderFailure('untrusted', wordOf(code))
}

/** Errors of the protocol that pass by themselves. */
const PASSING = new Set(['server_error', 'temporarily_unavailable'])
const isPassing = (status: number) => status >= 500 || status === 429

/** Only what looks like a code: the provider may have put anything there. */
const wordOf = (code: unknown): string => (typeof code === 'string' && /^[\w-]{1,60}$/.test(code) ? code : 'unknown')
