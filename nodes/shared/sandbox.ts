/** The call of a sandbox that signs or rejects in the signer's place. It is no part of the partner interface. */
import { UnauthorizedError, UnreachableError } from '../../lib/client/errors.ts'
import type { Sandbox } from './connection.ts'
import { NodeError } from './failures.ts'

export interface SignerAct {
  act: 'sign' | 'reject'
  /** Why, when rejecting. */
  reason: string | undefined
}

const TIMEOUT_MS = 30_000

export async function actAsSigner({ baseUrl, apiKey }: Sandbox, taskId: number, act: SignerAct, signal: AbortSignal) {
  const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/sandbox/v1/tasks/${taskId}/${act.act}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(act.act === 'reject' ? { reason: act.reason } : {}),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((failure: Error & { cause?: { code?: string } }) => {
    signal.throwIfAborted()
    throw new UnreachableError(act.act, failure.cause?.code ?? 'ETIMEDOUT', true)
  })
  await response.body?.cancel()
  if (response.ok) return
  const { status } = response
  if (status === 401 || status === 403) throw new UnauthorizedError(act.act, status, ['the key is refused'])
  if (status === 409) throw new NodeError('NOT_PENDING', `Task ${taskId} is not Pending, so no signer can act on it.`)
  throw new NodeError('NO_SANDBOX', `The service has no sandbox, or no task ${taskId} (status ${status}).`)
}
