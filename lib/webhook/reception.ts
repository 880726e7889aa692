/** Decides the answer to a callback. Pure. */
import type { StatusEvent } from '../contract/event.ts'
import { type HandOverOutcome, InProgressElsewhereError } from './hand-over.ts'
import { WebhookVerificationError } from './verification-error.ts'

/** The answer to a callback, and the reason. */
export interface Reception {
  /** The HTTP status: 200 when the callback need not come again. */
  status: 200 | 400 | 500 | 503
  /** The headers of the answer. */
  headers: Record<string, string>
  /** JSON. */
  body: string
  /** The outcome of the event. */
  outcome: HandOverOutcome | 'refused' | 'failed'
  /** Set unless the callback was refused. */
  event?: StatusEvent
  /** Why, when it was refused or failed. */
  code?: string
}

/** The callback need not come again. */
export const accepted = (event: StatusEvent, outcome: HandOverOutcome): Reception => reception(200, outcome, { event })

/** The receiver's handler failed before the callback was acknowledged: its sender must repeat it. */
export const handlerFailed = (event: StatusEvent): Reception =>
  reception(500, 'failed', { event, code: 'HANDLER_FAILED' })

/** `event` is set when the callback was verified before the failure. */
export function refusal(failure: unknown, event: StatusEvent | undefined): Reception {
  if (failure instanceof WebhookVerificationError) {
    const { code, isOwnFault } = failure
    return isOwnFault ? reception(500, 'failed', { code }) : reception(400, 'refused', { code })
  }
  const code = failure instanceof InProgressElsewhereError ? failure.code : 'UNAVAILABLE'
  return reception(503, 'failed', { event, code }, { 'retry-after': '30' })
}

function reception(
  status: Reception['status'],
  outcome: Reception['outcome'],
  { event, code }: { event?: StatusEvent | undefined; code?: string },
  headers: Record<string, string> = {},
): Reception {
  return {
    status,
    outcome,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(code ? { errors: [code] } : { outcome }),
    ...(event && { event }),
    ...(code && { code }),
  }
}
