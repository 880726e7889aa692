/**
 * The calls of a sandbox that act in the signer's place. They are no part of the partner interface, and a production host does
 * not have them.
 */
import type { ClientOptions } from './client-settings.ts'
import { sandboxCaller } from './sandbox-call.ts'

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
  const call = sandboxCaller(options)
  return {
    async actAsSigner(taskId, { act, reason }, signal) {
      const reasons = (status: number) => [
        status === 401 || status === 403 ? 'the key is refused' : `the sandbox refuses to ${act}`,
      ]
      const body = act === 'reject' ? { reason } : {}
      await call({ name: act, method: 'POST', path: `tasks/:id/${act}`, params: { id: taskId }, body, signal, reasons })
    },
  }
}
