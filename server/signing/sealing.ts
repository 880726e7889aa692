/** Completes a document, with the timestamp of an authority where the service has one. choice: Timestamps of seals */
import type { TimestampProblem, TimestampRule } from '../domain/timestamp.ts'
import type { Completion } from '../pdf/completion.ts'
import type { CompleteAnswer } from '../pdf/workers/jobs.ts'
import type { PdfPool } from '../pdf/workers/pool.ts'

/** The authority that gives timestamps, and what is done while it gives none. */
export interface Timestamps {
  /** The authority as certificate pages name it: its host. */
  authority: string
  rule: TimestampRule
  /** PEM of those that vouch for it; empty means those that Node.js trusts. */
  authorities: string
  /** A positive number that no one can guess, in as few bytes as it takes. */
  newNonce(): Uint8Array
  /** Sends a query. Never rejects. */
  ask(query: Uint8Array): Promise<{ answer: Uint8Array } | { problem: TimestampProblem }>
  /** Learns that there was no timestamp, and whether the document was sealed all the same. */
  onProblem(problem: TimestampProblem, isSealed: boolean): void
}

export type Unstamped = { ok: false; noTimestamp: TimestampProblem }

/** The completed document. `noTimestamp`: it is not sealed, because a timestamp is required and there is none. */
export async function seal(
  pool: Pick<PdfPool, 'complete' | 'timestamp'>,
  timestamps: Timestamps | null,
  pdf: Uint8Array,
  completion: Omit<Completion, 'timestamp'>,
): Promise<CompleteAnswer | Unstamped> {
  if (!timestamps) return pool.complete(pdf, { ...completion, timestamp: null })
  const { authority, rule, authorities } = timestamps
  const nonce = timestamps.newNonce()
  const sealed = await pool.complete(pdf, { ...completion, timestamp: { authority, nonce } })
  if (!sealed.ok || !sealed.timestampQuery) return sealed
  const asked = await timestamps.ask(sealed.timestampQuery)
  const { certificatePem } = completion.seal
  const stamped =
    'answer' in asked
      ? await pool.timestamp(sealed.pdf, { answer: asked.answer, nonce, authorities, certificatePem })
      : { ok: false as const, ...asked }
  if (stamped.ok) return stamped
  const isSealed = rule === 'ifAvailable'
  timestamps.onProblem(stamped.problem, isSealed)
  // Its certificate page says something else, so the document is completed again.
  return isSealed
    ? pool.complete(pdf, { ...completion, timestamp: { authority, nonce: null } })
    : { ok: false, noTimestamp: stamped.problem }
}
