/** One line of what a trial of settings found. */
import { adviceFor } from '../../../lib/client/answers/no-answer.ts'
import { RefusedError, UnauthorizedError, UnreachableError } from '../../../lib/client/errors.ts'
import { knownFailure } from '../runtime/failures.ts'

export interface Row {
  /** The check that was made; the editor has a name for each. */
  what: 'settings' | 'tls' | 'health' | 'key' | 'clock' | 'callback' | 'port' | 'folder' | 'running'
  ok: boolean
  /** The error and what to do; with `ok`, a remark. */
  advice?: string
}

export const good = (what: Row['what'], advice?: string): Row => ({
  what,
  ok: true,
  ...(advice !== undefined && { advice }),
})
export const bad = (what: Row['what'], advice: string): Row => ({ what, ok: false, advice })

/** Returns what to do about a failure of a call, without the name of the call. */
export function adviceAbout(failure: unknown): string {
  if (failure instanceof UnauthorizedError)
    return 'The host refuses the key. Enter the API key of your organization, or ask the operator of the host for a new one.'
  if (failure instanceof UnreachableError) return `${sentence(adviceFor(failure.code))} (${failure.code}).`
  // Its text may be a page, or be about a path that was never requested.
  if (failure instanceof RefusedError)
    return `Something answers, but not as a signature host does (status ${failure.status}). Check the base URL.`
  const { message } = knownFailure(failure)
  return sentence(message.replace(/^(checkHealth|listDocumentTypes): /, ''))
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
