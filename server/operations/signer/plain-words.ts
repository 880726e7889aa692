/**
 * Translates a refusal for a reader of the inbox, to whom the words of the interface, such as `values[2]`, mean nothing. Pure.
 */
import type { Refusal, RefusalKind } from '../../domain/refusal.ts'

/** Returns sentences for a person; none of them names a member of a request. */
export function plainWords({ kind, errors, plain }: Pick<Refusal, 'kind' | 'errors' | 'plain'>): readonly string[] {
  if (plain) return plain
  return errors.some((error) => OF_A_MEMBER.test(error)) ? [sentences[kind]] : errors
}

/** Errors about a part of a request begin with its path: `patient.names[0]: required`. */
const OF_A_MEMBER = /^[^\s:]+: /

const RELOAD = 'The page and the service do not understand each other. Load the page again, then try once more.'
const SIGN_IN = 'Sign in first: there is no session, or it has ended.'
const LATER = 'The service has no room for this at the moment. Try again in a minute.'

/** Sentences for refusals that come from the page itself, or from the network; a signer has not caused them. */
const sentences: Readonly<Record<RefusalKind, string>> = {
  invalid: RELOAD,
  keyMissing: SIGN_IN,
  keyRefused: SIGN_IN,
  signedOut: SIGN_IN,
  forbidden: 'You may not do this. Load the page again, or tell the operator of the service.',
  notFound: 'This is no longer here. Go back to the inbox.',
  conflict: 'This has changed since you opened it. Reload before deciding.',
  tooLarge: 'This is too large to be sent.',
  wrongMediaType: RELOAD,
  tooMany: LATER,
  tooSlow: 'The connection is too slow: what was sent did not arrive in time. Try again.',
  unavailable: LATER,
}
