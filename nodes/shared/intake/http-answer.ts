/** The answer to an HTTP request once its message is stored, or why it is not. Pure. */
import type { Message } from '../runtime/node-red.ts'
import type { Put } from './sealed-queue.ts'

/** The answer as `http response` takes it. */
export interface HttpAnswer {
  statusCode: number
  payload: { accepted: boolean } & Record<string, unknown>
  headers: Record<string, string>
}

/** Engines send again what they get 503 for. */
const RETRY_AFTER_SECONDS = '30'

const ANSWERS: Record<Put | 'down', HttpAnswer> = {
  new: { statusCode: 202, payload: { accepted: true }, headers: {} },
  known: { statusCode: 200, payload: { accepted: true, duplicate: true }, headers: {} },
  full: later('JOURNAL_FULL'),
  down: later('JOURNAL_DOWN'),
}

export const answerOf = (put: Put | 'down'): HttpAnswer => ANSWERS[put]

/**
 * Returns the answer to a message that is held: 200, because engines send again for ever what they get 400 for. A request with
 * `?strict=1` gets 422.
 */
export function answerOfHeld({ held, req }: Message): HttpAnswer {
  const { query } = (req ?? {}) as { query?: Record<string, unknown> }
  const isStrict = query?.strict === '1'
  return { statusCode: isStrict ? 422 : 200, payload: { accepted: false, held: true, reasons: held }, headers: {} }
}

function later(error: string): HttpAnswer {
  return {
    statusCode: 503,
    payload: { accepted: false, errors: [error] },
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  }
}
