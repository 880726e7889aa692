/** Adds the token of an authority to the seal of a document, in the room that its placeholder has. No other byte changes. */
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import { attribute, encodeSigned, exact, oid } from '../../../../lib/pdf/seal/cms.ts'
import { octetsOf } from '../../../../lib/pdf/seal/cms-form.ts'
import { findSignatures } from '../../../../lib/pdf/seal/find-signatures.ts'
import type { TokenProblem } from '../../../../lib/pdf/seal/timestamp/timestamp.ts'
import { verifySealed } from '../../../../lib/pdf/seal/verify.ts'
import { timestampQuery, tokenIn } from './query.ts'

/** Makes the query to a timestamp authority about a document that was just sealed. */
export const queryFor = (sealed: Buffer, nonce: Uint8Array): Buffer =>
  timestampQuery(signatureOf(sealIn(sealed).signed), nonce)

export interface Answered {
  /** The answer as it came from the authority. */
  answer: Uint8Array
  nonce: Uint8Array
  /** PEM; empty means those that Node.js trusts. */
  authorities: string
  certificatePem: string
}

/** The document with its timestamp, or what is wrong with the answer. `sealed` is changed. */
export function attachTimestamp(
  sealed: Buffer,
  { answer, nonce, authorities, certificatePem }: Answered,
): { ok: true; pdf: Buffer } | { ok: false; problem: TokenProblem } {
  const { signed, gapStart, gapEnd } = sealIn(sealed)
  const found = tokenIn(answer, { signature: signatureOf(signed), nonce, authorities })
  if (found.problem) return { ok: false, problem: found.problem }
  signed.signerInfos[0]!.unsignedAttrs = new pkijs.SignedAndUnsignedAttributes({
    type: 1,
    attributes: [attribute(oid.timestampToken, found.token)],
  })
  const room = gapEnd - gapStart - 2
  const hex = encodeSigned(signed).toString('hex')
  if (hex.length > room) return { ok: false, problem: 'tooLarge' }
  sealed.write(hex.padEnd(room, '0'), gapStart + 1, 'latin1')
  const verdict = verifySealed(sealed, certificatePem, { authorities })
  const isGood = verdict.valid && verdict.signatures.at(-1)?.timestamp?.isTrusted
  return isGood ? { ok: true, pdf: sealed } : { ok: false, problem: 'unreadable' }
}

/** The seal of a document that we have sealed: its last signature. */
function sealIn(pdf: Buffer) {
  const found = findSignatures(pdf)
  const seal = found.ok ? found.signatures.at(-1) : undefined
  if (!seal) throw new Error('The document has no seal')
  const { gapStart, gapEnd } = seal
  const contents = Buffer.from(pdf.toString('latin1', gapStart + 1, gapEnd - 1), 'hex')
  const { content } = new pkijs.ContentInfo({ schema: asn1js.fromBER(exact(contents)).result })
  return { gapStart, gapEnd, signed: new pkijs.SignedData({ schema: content }) }
}

const signatureOf = ({ signerInfos }: pkijs.SignedData): Buffer => octetsOf(signerInfos[0]?.signature)
