/** Reads the host's id of a request, with which its operator finds the request in the log. */
import { withhold } from './withhold.ts'

/**
 * Returns the id in the header `X-Request-Id`; null when there is none, when it is more than an id, or when it repeats something
 * that was sent: it is shown in errors and logs.
 */
export function requestIdOf(header: unknown, sent: readonly string[]): string | null {
  if (typeof header !== 'string' || !ID.test(header)) return null
  return withhold(header, sent) === header ? header : null
}

const ID = /^[\w.:/+=@-]{1,128}$/
