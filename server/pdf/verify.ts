/**
 * Is this PDF as it was signed? Answers for our own seal and, as far as they can be checked, for the signatures of others.
 * Pure. Looks at bytes only; does not ask whether a certificate was revoked, or who stands behind it.
 */
import { X509Certificate } from 'node:crypto'
import { checkCms } from './check-cms.ts'
import { findSignatures, type SignatureBytes } from './signature-bytes.ts'

export interface Verdict {
  /** The last signature is valid, covers the whole file, and is by the expected certificate when there is one. */
  valid: boolean
  /** One sentence for a person. */
  summary: string
  /** First signed first. */
  signatures: SignatureVerdict[]
  /** Everything else worth knowing, in sentences. */
  findings: string[]
}

export interface SignatureVerdict {
  /** `unknown`: made in a way that we cannot check. */
  state: 'valid' | 'invalid' | 'unknown'
  /** Subject of the certificate, null when it cannot be read. Written by whoever made it: escape it before showing it. */
  by: string | null
  /** Is it the expected certificate? null when none is expected. */
  isPinned: boolean | null
  /** ISO 8601, by the clock of the signer. */
  signedAt: string | null
  coversWholeDocument: boolean
  /** Bytes were added after this signature; a later signature may account for them. */
  changedAfterSigning: boolean
  findings: string[]
}

/** @param expectedCertificate PEM of the certificate that should have sealed the document. */
export function verifySealed(pdf: Uint8Array, expectedCertificate?: string): Verdict {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const expected = expectedCertificate === undefined ? null : new X509Certificate(expectedCertificate)
  const { signatures: found, malformed } = findSignatures(bytes)
  const signatures = found.map((signature) => verdictOn(signature, bytes, expected))
  const findings: string[] = []
  if (malformed > 0) findings.push('The document has a signature entry that is damaged and was left out.')
  const last = signatures.at(-1)
  if (!last) return { valid: false, summary: 'The document is not signed.', signatures, findings }
  if (expected === null) findings.push('Whether the certificate belongs to whom it names was not checked.')
  const valid = last.state === 'valid' && last.coversWholeDocument && last.isPinned !== false
  return { valid, summary: summaryOf(last), signatures, findings }
}

function verdictOn(signature: SignatureBytes, pdf: Buffer, expected: X509Certificate | null): SignatureVerdict {
  const { gapStart, gapEnd, end, claimedAt } = signature
  const content = [pdf.subarray(0, gapStart), pdf.subarray(gapEnd, end)]
  const { state, findings, certificate, signingTime } = checkCms(signature, content)
  const isPinned = expected && (certificate?.raw.equals(expected.raw) ?? false)
  const signedAt = claimedAt ?? signingTime
  const added = pdf.length - end
  if (added > 0) findings.push(`The document was changed after signing: ${added} bytes were added.`)
  if (isPinned === false) findings.push('The signature was made with another certificate than the expected one.')
  if (certificate && signedAt && !wasValidAt(certificate, signedAt)) {
    findings.push('The certificate was not valid at the time of signing.')
  }
  return {
    state,
    by: certificate && oneLine(certificate.subject),
    isPinned,
    signedAt,
    coversWholeDocument: added === 0,
    changedAfterSigning: added > 0,
    findings,
  }
}

function summaryOf({ state, by, coversWholeDocument, isPinned }: SignatureVerdict): string {
  if (state === 'unknown') return 'The document is signed in a way that this program cannot check.'
  if (state === 'invalid') return 'The signature is not valid: the document or its signature was changed.'
  if (!coversWholeDocument) return 'The signature is valid, but the document was changed after signing.'
  if (isPinned === false)
    return 'The signature is valid, but it was made with another certificate than the expected one.'
  return `The signature by ${by} is valid and covers the whole document, which was not changed after signing.`
}

const wasValidAt = ({ validFrom, validTo }: X509Certificate, iso: string): boolean => {
  const time = Date.parse(iso)
  return time >= Date.parse(validFrom) && time <= Date.parse(validTo)
}

const oneLine = (subject: string) => subject.replace(/\n/g, ', ').replace(/\p{Cc}/gu, ' ')
