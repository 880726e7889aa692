/** How a call reaches the control plane of a sandbox. Nothing is sent twice. */
import { readJson } from './answers/read-json.ts'
import { sentencesOf } from './answers/sentences.ts'
import { type ClientOptions, clientSettings } from './client-settings.ts'
import { RefusedError, UnexpectedResponseError } from './errors.ts'
import { statusError } from './status-error.ts'
import { createTransport } from './transport.ts'

export interface SandboxCall {
  /** Names the call in errors, and to observers. */
  name: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Follows `/sandbox/v1/`, with the names of `params` in place of their values. */
  path: string
  params?: object
  body?: object
  signal?: AbortSignal
  /** Returns the sentences to report instead of the sandbox's own. */
  reasons?(status: number): readonly string[]
}

/** Resolves with the parsed body of the answer; undefined where it has none. Rejects as the methods of a client do. */
export type CallSandbox = (call: SandboxCall) => Promise<unknown>

/**
 * Returns how to call a sandbox that is reached in the same way as the client of these options.
 * @throws SettingsError that names everything wrong
 */
export function sandboxCaller(options: ClientOptions): CallSandbox {
  const send = createTransport(clientSettings(options))
  return async ({ name, method, path, params = {}, body, signal, reasons }) => {
    const asked = { operation: name, method, path: `/sandbox/v1/${path}`, params, query: undefined, body }
    const answer = await send(asked, { signal, timeoutMs: undefined, attemptNumber: 1 })
    const { status, text, requestId } = answer
    const error = statusError(name, answer, reasons && (() => reasons(status)))
    if (error) throw error
    // A redirect leads elsewhere than to a sandbox.
    if (status >= 300) throw new RefusedError(name, status, reasons?.(status) ?? sentencesOf(answer), null, requestId)
    const read = readJson(text)
    if (read === undefined && text !== '')
      throw new UnexpectedResponseError(name, status, ['the body is not JSON'], requestId)
    return read
  }
}
