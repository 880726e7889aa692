/**
 * The calls of a sandbox that act in the signer's place. They are no part of the partner interface, and a production host does
 * not have them.
 */
import { RefusedError, UnauthorizedError, UnreachableError } from './errors.ts'
import { type ClientOptions, createHttp, PROXY_WANTS_PASSWORD, TIMEOUT_MS, unreachable } from './transport.ts'

export interface SignerAct {
  act: 'sign' | 'reject'
  /** Why, when rejecting. */
  reason: string | undefined
}

export interface Sandbox {
  /** Rejects as the methods of a client do; a RefusedError of status 409 means that the task is not Pending. */
  actAsSigner(taskId: number, act: SignerAct, signal: AbortSignal): Promise<void>
}

/** Travels the same way as the client of these options. */
export function createSandbox(options: ClientOptions): Sandbox {
  const { baseUrl, timeoutMs = TIMEOUT_MS } = options
  const http = createHttp(options)
  return {
    async actAsSigner(taskId, { act, reason }, signal) {
      const { status } = await http
        .request({
          url: `${baseUrl.replace(/\/+$/, '')}/sandbox/v1/tasks/${taskId}/${act}`,
          method: 'POST',
          data: act === 'reject' ? { reason } : {},
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        })
        .catch((failure: unknown) => {
          signal.throwIfAborted()
          throw unreachable(act, failure)
        })
      if (status < 300) return
      if (status >= 500) throw new UnreachableError(act, `HTTP_${status}`, true)
      if (status === PROXY_WANTS_PASSWORD) throw new UnreachableError(act, `HTTP_${status}`, false)
      if (status === 401 || status === 403) throw new UnauthorizedError(act, status, ['the key is refused'])
      throw new RefusedError(act, status, [`the sandbox refuses to ${act}`])
    },
  }
}
