/** The result of an attempt, as far as the receiver showed it. */
import type { AttemptOutcome } from '../../domain/delivery/attempt.ts'

export interface Reply {
  outcome: AttemptOutcome
  /** How long other names were looked up first, in milliseconds; the attempt began after that. */
  waitedMs: number
  /** Status of the answer; null when none came. */
  status: number | null
  /** How long the receiver asked us to wait, in milliseconds; null when it did not. */
  retryAfterMs: number | null
  /** Until the connection stood, in milliseconds; null when it never did, or stood already. */
  connectMs: number | null
  /** Until the head of the answer came, in milliseconds; null when none came. */
  firstByteMs: number | null
  answerBytes: number
  /** The part of the answer that may be kept: see `shown-answer.ts`; null where there is no text. */
  answer: string | null
}

export const NO_REPLY: Reply = {
  outcome: 'connection',
  waitedMs: 0,
  status: null,
  retryAfterMs: null,
  connectMs: null,
  firstByteMs: null,
  answerBytes: 0,
  answer: null,
}
