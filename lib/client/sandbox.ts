/**
 * The calls of a sandbox that act in the signer's place. They are no part of the partner interface, and a production host does
 * not have them.
 */
import { RefusedError } from './errors.ts'
import { statusError } from './status-error.ts'
import { type ClientOptions, createHttp, TIMEOUT_MS, unreachable } from './transport.ts'

export interface SignerAct {
  act: 'sign' | 'reject'
  /** Why, when rejecting. */
  reason: string | undefined
}

export interface Sandbox {
  /** Rejects as the methods of a client do; a RefusedError of status 409 means that the task is not Pending. */
  actAsSigner(taskId: number, act: SignerAct, signal: AbortSignal): Promise<void>
}

/** Returns a sandbox that is reached in the same way as the client of these options. */
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
      const isKey = status === 401 || status === 403
      const reasons = () => [isKey ? 'the key is refused' : `the sandbox refuses to ${act}`]
      // A redirect leads elsewhere than to a sandbox.
      throw statusError({ operation: act, status, reasons }) ?? new RefusedError(act, status, reasons())
    },
  }
}
