/** Sends a decision of the signer, and finds out what became of it when the answer was lost. */
import type { Outcome, RejectBody, SignBody } from '../../../operations/signer/messages.ts'
import { ApiError, call } from '../../shared/api.ts'
import { outcomeOf, outcomeSentence } from './outcome.ts'

export type Decision = { is: 'sign'; body: SignBody } | { is: 'reject'; body: RejectBody }

/** After these it is not known whether the service did what was asked. */
const UNSURE = [0, 404, 409, 502, 503, 504]

/** Resolves when the document was signed or rejected as decided, even if the answer was lost. Throws an `ApiError` otherwise. */
export async function settle(taskId: number, decision: Decision): Promise<void> {
  try {
    await send(taskId, decision)
  } catch (failure) {
    if (!(failure instanceof ApiError) || !UNSURE.includes(failure.status)) throw failure
    const outcome = await outcomeOf(taskId).catch(() => null)
    if (!outcome || outcome.state === 'waiting') throw failure
    if (outcome.byYou && (await isOurs(taskId, decision, outcome))) return
    throw new ApiError(failure.status, [outcomeSentence(outcome)])
  }
}

const send = (taskId: number, { is, body }: Decision) => call('POST', `/inbox/api/documents/${taskId}/${is}`, body)

/** Whether the signer decided so here, and not in another window with something else filled in. */
async function isOurs(taskId: number, decision: Decision, { state, reason }: Outcome): Promise<boolean> {
  if (decision.is === 'reject') return state === 'rejected' && reason === decision.body.reason
  if (state !== 'signed') return false
  // The service takes the same signature again without signing twice, and refuses any other.
  return send(taskId, decision).then(
    () => true,
    () => false,
  )
}
