/** Completes a document: signed by the key of the service, wherever that is, with the timestamp of an authority where the service has one. choice: Timestamps of seals */
import type { SealKey } from '../../lib/pdf/seal/seal-key.ts'
import type { KeyProblem, KeySigner } from '../domain/external-key.ts'
import type { TimestampProblem, TimestampRule } from '../domain/timestamp.ts'
import type { Completion } from '../pdf/completion.ts'
import type { SealedAnswer } from '../pdf/workers/jobs.ts'
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

export interface SealParts {
  pdf: Pick<PdfPool, 'complete' | 'addSignature' | 'timestamp'>
  /** The key of the service; one that is elsewhere signs by itself. */
  seal: SealKey | KeySigner
  /** Null where seals have no timestamp. */
  timestamps: Timestamps | null
  /** Learns that the key did not sign. */
  onKeyProblem(problem: KeyProblem): void
}

export type Unsealed =
  | {
      ok: false
      /** A timestamp is required and there is none. */
      noTimestamp: TimestampProblem
    }
  | {
      ok: false
      /** The key, which is elsewhere, did not sign. */
      noSignature: KeyProblem
    }

/** The completed document, or why it is not sealed. */
export async function sealWith(
  parts: SealParts,
  document: Uint8Array,
  completion: Omit<Completion, 'seal' | 'timestamp'>,
): Promise<SealedAnswer | Unsealed> {
  const { pdf, seal, timestamps } = parts
  const { certificatePem } = seal
  if (!timestamps) return signedWith(parts, document, { ...completion, timestamp: null })
  const { authority, rule, authorities } = timestamps
  const nonce = timestamps.newNonce()
  const sealed = await signedWith(parts, document, { ...completion, timestamp: { authority, nonce } })
  if (!sealed.ok || !sealed.timestampQuery) return sealed
  const asked = await timestamps.ask(sealed.timestampQuery)
  const stamped =
    'answer' in asked
      ? await pdf.timestamp(sealed.pdf, { answer: asked.answer, nonce, authorities, certificatePem })
      : { ok: false as const, ...asked }
  if (stamped.ok) return stamped
  const isSealed = rule === 'ifAvailable'
  timestamps.onProblem(stamped.problem, isSealed)
  // Its certificate page says something else, so the document is completed again.
  return isSealed
    ? signedWith(parts, document, { ...completion, timestamp: { authority, nonce: null } })
    : { ok: false, noTimestamp: stamped.problem }
}

async function signedWith(
  { pdf, seal, onKeyProblem }: SealParts,
  document: Uint8Array,
  completion: Omit<Completion, 'seal'>,
): Promise<SealedAnswer | Unsealed> {
  if (seal.privateKeyPem !== null) {
    const completed = await pdf.complete(document, { ...completion, seal })
    if ('toSign' in completed) throw new Error('A document with its signature is still to be signed')
    return completed
  }
  const { certificatePem, privateKeyPem, sign } = seal
  const completed = await pdf.complete(document, { ...completion, seal: { certificatePem, privateKeyPem } })
  if (!('toSign' in completed)) return completed
  const { bytes, placeholder } = completed.toSign
  const signed = await sign(bytes)
  if ('problem' in signed) {
    onKeyProblem(signed.problem)
    return { ok: false, noSignature: signed.problem }
  }
  const { timestamp } = completion
  return pdf.addSignature(completed.pdf, { ...signed, placeholder, certificatePem, timestamp })
}
