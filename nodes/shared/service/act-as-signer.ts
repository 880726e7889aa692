/** Signs or rejects in the signer's place on a sandbox, and explains a refusal to the person who built the flow. */
import { RefusedError, UnauthorizedError } from '../../../lib/client/errors.ts'
import type { Sandbox, SignerAct } from '../../../lib/client/sandbox.ts'
import { NodeError } from '../runtime/failures.ts'

/** Throws a NodeError when the sandbox refuses: NOT_PENDING or NO_SANDBOX. */
export async function actAsSigner(sandbox: Sandbox, taskId: number, act: SignerAct, signal: AbortSignal) {
  try {
    await sandbox.actAsSigner(taskId, act, signal)
  } catch (failure) {
    if (!(failure instanceof RefusedError) || failure instanceof UnauthorizedError) throw failure
    const { status } = failure
    if (status === 409) throw new NodeError('NOT_PENDING', `Task ${taskId} is not Pending, so no signer can act on it.`)
    throw new NodeError('NO_SANDBOX', `The service has no sandbox, or no task ${taskId} (status ${status}).`)
  }
}
