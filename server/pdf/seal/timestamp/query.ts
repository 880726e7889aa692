/** Makes a query to a timestamp authority, and checks that its answer belongs to it (RFC 3161). Knows no network. */
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import { exact, oid, sha256 } from '../../../../lib/pdf/seal/cms.ts'
import type { TokenProblem } from '../../../../lib/pdf/seal/timestamp/timestamp.ts'
import { checkToken } from '../../../../lib/pdf/seal/timestamp/token.ts'

/** The query in DER. It holds a digest of the signature, and nothing of the document. */
export function timestampQuery(signature: Uint8Array, nonce: Uint8Array): Buffer {
  const query = new pkijs.TimeStampReq({
    version: 1,
    messageImprint: new pkijs.MessageImprint({
      hashAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: oid.sha256 }),
      hashedMessage: new asn1js.OctetString({ valueHex: exact(sha256(signature)) }),
    }),
    nonce: new asn1js.Integer({ valueHex: exact(nonce) }),
    // With its certificates, because a document has to be verified without asking anyone.
    certReq: true,
  })
  return Buffer.from(query.toSchema().toBER(false))
}

export interface Asked {
  /** The signature that the timestamp covers. */
  signature: Uint8Array
  /** A positive number in as few bytes as it takes. */
  nonce: Uint8Array
  /** PEM, one or several after another; empty means those that Node.js trusts. */
  authorities: string
}

/** The token in an answer, once all about it was checked. */
export function tokenIn(
  answer: Uint8Array,
  { signature, nonce, authorities }: Asked,
): { problem: null; token: asn1js.BaseBlock } | { problem: TokenProblem } {
  try {
    const parsed = asn1js.fromBER(exact(answer))
    if (parsed.offset < 0) return { problem: 'unreadable' }
    const { status, timeStampToken } = new pkijs.TimeStampResp({ schema: parsed.result })
    if (!GRANTED.has(status.status)) return { problem: 'notGiven' }
    if (!timeStampToken) return { problem: 'unreadable' }
    const token = timeStampToken.toSchema()
    const checked = checkToken(token, signature, authorities)
    if (checked.problem) return checked
    if (!checked.nonce?.equals(nonce)) return { problem: 'anotherRequest' }
    return checked.timestamp.isTrusted ? { problem: null, token } : { problem: 'untrusted' }
  } catch {
    return { problem: 'unreadable' }
  }
}

/** Granted as asked for, or with changes, which are checked like all else. */
const GRANTED: ReadonlySet<number> = new Set([0, 1])
