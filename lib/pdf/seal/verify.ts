/**
 * Is this PDF as it was signed? Answers for our own seal and, as far as they can be checked, for the signatures of others. Pure:
 * looks at bytes only, and does not ask whether a certificate was revoked or who is behind it.
 */
import { X509Certificate } from 'node:crypto'
import { timeIn } from '../../time-zone.ts'
import { headerOffset } from '../file/header.ts'
import { checkCms } from './check-cms.ts'
import { findSignatures, type SignatureBytes } from './find-signatures.ts'
import { certificatesIn } from './pem.ts'
import { type NamedPerson, type NamedSigner, SANDBOX_SUBJECT } from './seal-names.ts'
import { timeFindings } from './timestamp/time-findings.ts'
import type { Timestamp } from './timestamp/timestamp.ts'

export interface Verdict {
  /** The change of the document since it was signed. */
  outcome: Outcome
  /** Sealed with an expected certificate, and not a byte has changed since. The only outcome to rely on. */
  valid: boolean
  /** The outcome in a few words. */
  headline: string
  /** One sentence for a person. */
  summary: string
  /** First signed first; the last one decides. */
  signatures: SignatureVerdict[]
  /** Everything else worth knowing, in sentences. */
  findings: string[]
}

export type Outcome = 'valid' | 'changed' | 'damaged' | 'signedByUnknown' | 'uncheckable' | 'notSigned' | 'notPdf'

export interface SignatureVerdict {
  /** `unknown`: made in a way that we cannot check. */
  state: 'valid' | 'invalid' | 'unknown'
  /** Subject of the certificate; null when it cannot be read. Its maker chose the text: escape it before showing it. */
  by: string | null
  /** Made with an expected certificate; null when none is expected. */
  isPinned: boolean | null
  /** Whom our own seal names; null for those of others. */
  signer: NamedPerson | null
  /** The signer whose document it was; only where our own seal says that a delegate signed. */
  onBehalfOf?: NamedPerson
  /** Ours, and made in a sandbox. */
  isTest: boolean
  /** That of its maker first, then those of the issuers as far as the signature has them. Their makers chose the texts. */
  certificates: ShownCertificate[]
  /** ISO 8601, by the clock of the signer. */
  signedAt: string | null
  /** The timestamp by which it existed already; null without one, or with an invalid one. */
  timestamp: Timestamp | null
  /** Whether the signature covers all bytes of the file but its own. */
  coversWholeDocument: boolean
  /** Bytes were added after this signature; a later signature may account for them. */
  changedAfterSigning: boolean
  /** Further findings, in sentences. */
  findings: string[]
}

export interface ShownCertificate {
  /** The subject of the certificate. */
  subject: string
  /** Who issued it. */
  issuer: string
  /** ISO 8601; null when it cannot be read. */
  validFrom: string | null
  /** The same for its end. */
  validTo: string | null
}

/** How many signatures are looked at: each costs a digest of the file. */
const MAX_SIGNATURES = 4

export interface VerifyOptions {
  /**
   * The authorities that vouch for timestamps: PEM, one or several after another. Empty or omitted means those that Node.js
   * trusts.
   */
  authorities?: string
  /** The time that it is; omitted where an expired certificate is not reported. */
  now?: Date
}

/** @param expectedCertificates those that may have sealed the document: PEM, one or several after another */
export function verifySealed(pdf: Uint8Array, expectedCertificates = '', options: VerifyOptions = {}): Verdict {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const expected = certificatesIn(expectedCertificates).map((pem) => new X509Certificate(pem))
  if (headerOffset(bytes) === null) return verdict('notPdf', 'The file is not a PDF.')
  const found = findSignatures(bytes)
  if (!found.ok) {
    const why = `The document has ${found.problem}`
    return verdict('damaged', `${why}: programs may show different things, so no signature in it can be relied on.`)
  }
  const { malformed } = found
  const findings = malformed > 0 ? ['The document has a damaged signature entry, which was ignored.'] : []
  const checked = found.signatures.slice(-MAX_SIGNATURES)
  if (checked.length < found.signatures.length)
    findings.push(`Only the last ${MAX_SIGNATURES} signatures were looked at.`)
  const signatures = checked.map((signature) => checkSignature(signature, bytes, expected, options))
  const last = signatures.at(-1)
  if (last) return { ...verdict(outcomeOf(last), summaryOf(last), signatures, findings), ...testWords(last) }
  return malformed > 0 ? verdict('changed', INVALID, [], findings) : verdict('notSigned', 'The document is not signed.')
}

const HEADLINES: Readonly<Record<Outcome, string>> = {
  valid: 'Valid',
  changed: 'Not valid',
  damaged: 'Not valid',
  signedByUnknown: 'Signed by an unknown signer',
  uncheckable: 'Cannot be checked',
  notSigned: 'Not signed',
  notPdf: 'Not a PDF',
}

/** A test is never called valid without saying that it is one. */
const testWords = ({ isTest, coversWholeDocument }: SignatureVerdict) =>
  isTest && coversWholeDocument ? { headline: 'TEST: unchanged, but not a legal signature' } : {}

const verdict = (
  outcome: Outcome,
  summary: string,
  signatures: SignatureVerdict[] = [],
  findings: string[] = [],
): Verdict => ({ outcome, valid: outcome === 'valid', headline: HEADLINES[outcome], summary, signatures, findings })

function checkSignature(
  signature: SignatureBytes,
  pdf: Buffer,
  expected: readonly X509Certificate[],
  { authorities = '', now }: VerifyOptions,
): SignatureVerdict {
  const { end, claimedAt, signer } = signature
  const checked = checkCms(signature, pdf, expected, authorities)
  const { state, findings, isPinned, certificate, chain, signingTime, timestamp } = checked
  const signedAt = claimedAt ?? signingTime
  const added = pdf.length - end
  if (added > 0) findings.push(`The document was changed after signing: ${added} bytes were added.`)
  findings.push(...timeFindings({ certificate, signedAt, timestamp, now }))
  const isOurs = isPinned && state === 'valid'
  return {
    state,
    by: certificate && oneLine(certificate.subject),
    isPinned: expected.length > 0 ? isPinned : null,
    ...(isOurs ? ownWords(certificate, signer) : { signer: null, isTest: false }),
    certificates: chain.map(shownCertificate),
    signedAt,
    timestamp,
    coversWholeDocument: added === 0,
    changedAfterSigning: added > 0,
    findings,
  }
}

/** Reads the facts of a valid seal of ours. A sandbox has a certificate of its own unless its operator gave it another. */
function ownWords(certificate: X509Certificate | null, signer: NamedSigner | null) {
  const isTest = signer?.isTest ?? certificate?.subject === `CN=${SANDBOX_SUBJECT}`
  const owner = signer?.onBehalfOf
  return { signer: signer && { name: signer.name, npi: signer.npi }, ...(owner && { onBehalfOf: owner }), isTest }
}

const shownCertificate = ({ subject, issuer, validFrom, validTo }: X509Certificate): ShownCertificate => ({
  subject: oneLine(subject),
  issuer: oneLine(issuer),
  validFrom: isoOf(validFrom),
  validTo: isoOf(validTo),
})

const isoOf = (time: string): string | null => (Number.isNaN(Date.parse(time)) ? null : new Date(time).toISOString())

function outcomeOf({ state, isPinned, coversWholeDocument }: SignatureVerdict): Outcome {
  if (state === 'unknown') return 'uncheckable'
  if (state === 'invalid' || !coversWholeDocument) return 'changed'
  return isPinned ? 'valid' : 'signedByUnknown'
}

const INVALID = 'The signature is not valid: the document or its signature was changed.'

function summaryOf({ state, by, signer, isTest, coversWholeDocument, isPinned, timestamp }: SignatureVerdict): string {
  if (state === 'unknown') return 'The document is signed in a way that this program cannot check.'
  if (state === 'invalid') return INVALID
  if (!coversWholeDocument) return 'The signature is valid, but the document was changed after signing.'
  const name = commonName(by)
  if (isPinned) {
    const since = timestamp?.isTrusted
      ? ` ${commonName(timestamp.authority)} confirms that it was sealed by ${timeIn('UTC', timestamp.at)}.`
      : ''
    const signed = signer ? `The document was signed by ${signer.name}, NPI ${signer.npi}. It` : 'The document'
    const test = isTest ? 'This is a TEST document from a sandbox. ' : ''
    return `${test}${signed} is as it was sealed by ${name}: not a byte has changed.${since}`
  }
  const what = isPinned === null ? '' : ', but not with the expected certificate'
  return `The document was signed${what}. The certificate names ${name}, but anyone can make one with that name.`
}

const commonName = (subject: string | null) => /(?:^|, )CN=((?:[^,\\]|\\.)+)/.exec(subject ?? '')?.[1] ?? subject

const oneLine = (subject: string) => subject.replace(/\n/g, ', ').replace(/\p{Cc}/gu, ' ')
