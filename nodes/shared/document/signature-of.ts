/** Reads what a message says of the signature of its document, for results. */
import { CarriedSignature, type SignatureGiven } from '../../../lib/mapping/signed-facts.ts'
import type { Message } from '../runtime/node-red.ts'

export type SignatureOf = { ok: true; given: SignatureGiven } | { ok: false; problem: string }

export function signatureOf({ signature, occurredAtUtc }: Message): SignatureOf {
  const read = CarriedSignature.nullish().safeParse(signature)
  if (!read.success) return { ok: false, problem: 'signature: not what “download signed” or “check signed” sets' }
  return {
    ok: true,
    given: { signature: read.data, occurredAtUtc: typeof occurredAtUtc === 'string' ? occurredAtUtc : null },
  }
}
