/** What goes wrong with a provider, by what its visitor can do about it. Holds nothing of what the provider sent but a code. */
import * as client from 'openid-client'

/**
 * `away`: it may answer in a while. `declined`: it let the person go without signing them in. `untrusted`: what it sent does not
 * fit, or it refuses this service; only an operator can find out why.
 */
export type ProviderFault = 'away' | 'declined' | 'untrusted'

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly fault: ProviderFault
  /** For the log: a code of the library or of the protocol, or the status of an answer. */
  readonly code: string
  constructor(fault: ProviderFault, code: string) {
    super(`The provider of single sign-on: ${fault} (${code})`)
    this.fault = fault
    this.code = code
  }
}

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
  // What `fetch` fails with when there is no connection.
  if (failure instanceof TypeError && code === undefined)
    throw new ProviderFailure('away', wordOf((cause as { code?: unknown } | undefined)?.code))
  throw new ProviderFailure('untrusted', wordOf(code))
}

/** Errors of the protocol that pass by themselves. */
const PASSING = new Set(['server_error', 'temporarily_unavailable'])
const isPassing = (status: number) => status >= 500 || status === 429

/** Only what looks like a code: the provider may have put anything there. */
const wordOf = (code: unknown): string => (typeof code === 'string' && /^[\w-]{1,60}$/.test(code) ? code : 'unknown')
