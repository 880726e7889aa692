/** Checks one CMS signature against the bytes that it should sign. Mathematics and form only; trusts no one. */
import type { X509Certificate } from 'node:crypto'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import { carriedBy, certificateOf, type Judged, judge, uncheckable, x509Of } from './check-signer.ts'
import { exact, oid } from './cms.ts'
import { attributeOf, isInCmsForm, octetsOf, timestampOf } from './cms-form.ts'
import type { SignatureBytes } from './find-signatures.ts'
import { recognizedSeal, rememberForm } from './known-form.ts'
import { isInSealForm } from './seal-form.ts'
import type { Timestamp } from './timestamp/timestamp.ts'
import { checkToken } from './timestamp/token.ts'

export interface CheckedCms extends Judged {
  /** Made with one of the expected certificates. */
  isPinned: boolean
  certificate: X509Certificate | null
  /** All that the signature carries: that of its maker first, each followed by that of its issuer as far as it is there. */
  chain: X509Certificate[]
  /** The time that the signature states, ISO 8601, or null. */
  signingTime: string | null
  /** When it existed already, by an authority; null without a timestamp, or with one that is wrong. */
  timestamp: Timestamp | null
}

/** The formats of signatures in PDFs that sign the bytes themselves. Others sign a digest of them, or a time. */
const CHECKED_FORMATS = new Set(['adbe.pkcs7.detached', 'ETSI.CAdES.detached'])

/**
 * @param pdf the file, as far as the signature covers it at least
 * @param expected a signature by one of these certificates has to be in the one form in which we write them, bit by bit
 * @param authorities those that vouch for timestamps, as PEM; empty means those that Node.js trusts
 */
export function checkCms(
  signature: SignatureBytes,
  pdf: Buffer,
  expected: readonly X509Certificate[],
  authorities: string,
): CheckedCms {
  const { gapStart, gapEnd, end } = signature
  const contents = pdf.toString('latin1', gapStart, gapEnd)
  if (!/^<[0-9A-Fa-f\s]*>$/.test(contents)) return failed('The place of the signature holds something else as well.')
  const content = [pdf.subarray(0, gapStart), pdf.subarray(gapEnd, end)]
  const maker = isInSealForm(pdf, signature) ? recognizedSeal(contents, content, expected) : null
  if (maker) return valid(maker)
  try {
    const parsed = asn1js.fromBER(exact(Buffer.from(contents.slice(1, -1).replace(/\s+/g, ''), 'hex')))
    if (parsed.offset < 0) return failed('The signature is damaged: it cannot be decoded.')
    const signed = new pkijs.SignedData({ schema: new pkijs.ContentInfo({ schema: parsed.result }).content })
    const [info] = signed.signerInfos
    const certificates = carriedBy(signed)
    const named = info && certificateOf(info, certificates)
    if (!info || !named) return failed('The signature is damaged: it does not carry its certificate.')
    const certificate = x509Of(named)
    const isPinned = expected.some(({ raw }) => raw.equals(certificate.raw))
    const judged = CHECKED_FORMATS.has(signature.subFilter) ? judge(info, certificate, content) : uncheckable()
    if (isPinned && !(isInCmsForm(signed, contents) && isInSealForm(pdf, signature))) {
      judged.state = 'invalid'
      judged.findings.push('The signature was altered: it is not in the form in which it was written.')
    }
    const timestamp = timestampIn(info, authorities)
    if (timestamp === 'wrong') {
      judged.findings.push('The timestamp is wrong: it was changed, or belongs to something else.')
      // We add none that is.
      if (isPinned) judged.state = 'invalid'
    }
    if (isPinned && judged.state === 'valid' && timestamp === null) rememberForm(contents, signed, certificate)
    const others = certificates.filter((item) => item !== named).map(x509Of)
    return {
      ...judged,
      isPinned,
      certificate,
      chain: chainOf(certificate, others),
      signingTime: signingTimeOf(info),
      timestamp: timestamp === 'wrong' ? null : timestamp,
    }
  } catch {
    return failed('The signature is damaged: it cannot be decoded.')
  }
}

function timestampIn(info: pkijs.SignerInfo, authorities: string): Timestamp | null | 'wrong' {
  const token = timestampOf(info)
  if (token === null || token === 'something else') return null
  try {
    const checked = checkToken(token, octetsOf(info.signature), authorities)
    return checked.problem ? 'wrong' : checked.timestamp
  } catch {
    return 'wrong'
  }
}

function chainOf(certificate: X509Certificate, others: readonly X509Certificate[]): X509Certificate[] {
  const issuer = others.find((other) => certificate.checkIssued(other))
  return [
    certificate,
    ...(issuer
      ? chainOf(
          issuer,
          others.filter((other) => other !== issuer),
        )
      : []),
  ]
}

const valid = (certificate: X509Certificate): CheckedCms => ({
  state: 'valid',
  findings: [],
  isPinned: true,
  certificate,
  chain: [certificate],
  signingTime: null,
  timestamp: null,
})

const failed = (finding: string): CheckedCms => ({
  state: 'invalid',
  findings: [finding],
  isPinned: false,
  certificate: null,
  chain: [],
  signingTime: null,
  timestamp: null,
})

function signingTimeOf(info: pkijs.SignerInfo): string | null {
  const value = attributeOf(info, oid.signingTime)
  return value instanceof asn1js.UTCTime || value instanceof asn1js.GeneralizedTime
    ? value.toDate().toISOString()
    : null
}
