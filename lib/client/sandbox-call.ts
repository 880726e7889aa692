/** How a call reaches the control plane of a sandbox. Nothing is sent twice. */
import { ErrorBody } from '../contract/error.ts'
import { RefusedError } from './errors.ts'
import { statusError } from './status-error.ts'
import { type ClientOptions, createHttp, TIMEOUT_MS, unreachable } from './transport.ts'

export interface SandboxCall {
  /** Names the call in errors. */
  name: string
  method: 'GET' | 'POST' | 'DELETE'
  /** What follows `/sandbox/v1/`. */
  path: string
  body?: object
  signal?: AbortSignal
  /** What an error says in place of the sandbox's own sentences. */
  reasons?(status: number): readonly string[]
}

/** Resolves with the parsed body of the answer; undefined where it has none. Rejects as the methods of a client do. */
export type CallSandbox = (call: SandboxCall) => Promise<unknown>

/** Returns how to call a sandbox that is reached in the same way as the client of these options. */
export function sandboxCaller(options: ClientOptions): CallSandbox {
  const { baseUrl, timeoutMs = TIMEOUT_MS } = options
  const http = createHttp(options)
  return async ({ name, method, path, body, signal, reasons }) => {
    const limit = AbortSignal.timeout(timeoutMs)
    const { status, data } = await http
      .request<string>({
        url: `${baseUrl.replace(/\/+$/, '')}/sandbox/v1/${path}`,
        method,
        data: body,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
      .catch((failure: unknown) => {
        signal?.throwIfAborted()
        throw unreachable(name, failure)
      })
    if (status < 300) return data === '' ? undefined : JSON.parse(data)
    const sentences = () => reasons?.(status) ?? errorsOf(data)
    // A redirect leads elsewhere than to a sandbox.
    throw statusError({ operation: name, status, reasons: sentences }) ?? new RefusedError(name, status, sentences())
  }
}

function errorsOf(text: string): readonly string[] {
  try {
    return ErrorBody.parse(JSON.parse(text)).errors
  } catch {
    return ['the sandbox gave no reason']
  }
}
