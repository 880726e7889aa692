/** Checks one CMS signature against the bytes that it should sign. Mathematics and form only; trusts nobody. */
import { constants, createHash, createVerify, X509Certificate } from 'node:crypto'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import { exact, oid } from './cms.ts'
import { attributeOf, isInCmsForm, octetsOf } from './cms-form.ts'
import type { SignatureBytes } from './find-signatures.ts'
import { isInSealForm } from './seal-form.ts'

export interface CheckedCms {
  /** `unknown`: made in a way that we cannot check, which says nothing about the document. */
  state: 'valid' | 'invalid' | 'unknown'
  findings: string[]
  /** Made with one of the expected certificates. */
  isPinned: boolean
  certificate: X509Certificate | null
  /** All that the signature carries: that of its maker first, each followed by that of its issuer as far as it is there. */
  chain: X509Certificate[]
  /** As the signature states it, ISO 8601, or null. */
  signingTime: string | null
}

const DIGESTS: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}
const RSA_PSS = '1.2.840.113549.1.1.10'
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14'
/** What each signature method hashes the attributes with; null where that is the digest of the content. */
const SIGNATURES: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.1': null,
  '1.2.840.113549.1.1.5': 'sha1',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  [RSA_PSS]: null,
  '1.2.840.10045.2.1': null,
  '1.2.840.10045.4.1': 'sha1',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
}

/** The formats of signatures in PDFs that sign the bytes themselves. Others sign a digest of them, or a time. */
const CHECKED_FORMATS = new Set(['adbe.pkcs7.detached', 'ETSI.CAdES.detached'])

/**
 * @param pdf the file, as far as the signature covers it at least
 * @param expected a signature by one of these certificates has to be in the one form in which we write them, bit by bit
 */
export function checkCms(signature: SignatureBytes, pdf: Buffer, expected: readonly X509Certificate[]): CheckedCms {
  const { gapStart, gapEnd, end } = signature
  const contents = pdf.toString('latin1', gapStart, gapEnd)
  if (!/^<[0-9A-Fa-f\s]*>$/.test(contents)) return failed('The place of the signature holds something else as well.')
  try {
    const parsed = asn1js.fromBER(exact(Buffer.from(contents.slice(1, -1).replace(/\s+/g, ''), 'hex')))
    if (parsed.offset < 0) return failed('The signature is damaged: it cannot be decoded.')
    const signed = new pkijs.SignedData({ schema: new pkijs.ContentInfo({ schema: parsed.result }).content })
    const [info] = signed.signerInfos
    const certificates = (signed.certificates ?? []).filter((item) => item instanceof pkijs.Certificate)
    const named = info && certificates.find((candidate) => identifies(info.sid, candidate))
    if (!info || !named) return failed('The signature is damaged: it does not carry its certificate.')
    const certificate = x509Of(named)
    const isPinned = expected.some(({ raw }) => raw.equals(certificate.raw))
    const content = [pdf.subarray(0, gapStart), pdf.subarray(gapEnd, end)]
    const judged = CHECKED_FORMATS.has(signature.subFilter) ? judge(info, certificate, content) : uncheckable()
    if (isPinned && !(isInCmsForm(signed, contents) && isInSealForm(pdf, signature))) {
      judged.state = 'invalid'
      judged.findings.push('The signature was altered: it is not in the form in which it was written.')
    }
    const others = certificates.filter((item) => item !== named).map(x509Of)
    return { ...judged, isPinned, certificate, chain: chainOf(certificate, others), signingTime: signingTimeOf(info) }
  } catch {
    return failed('The signature is damaged: it cannot be decoded.')
  }
}

const x509Of = (certificate: pkijs.Certificate) =>
  new X509Certificate(Buffer.from(certificate.toSchema(false).toBER(false)))

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

const failed = (finding: string): CheckedCms => ({
  state: 'invalid',
  findings: [finding],
  isPinned: false,
  certificate: null,
  chain: [],
  signingTime: null,
})

type Judged = Pick<CheckedCms, 'state' | 'findings'>

const uncheckable = (): Judged => ({
  state: 'unknown',
  findings: ['The signature uses a method that this program does not check.'],
})

function judge(info: pkijs.SignerInfo, certificate: X509Certificate, content: readonly Buffer[]): Judged {
  const hash = DIGESTS[info.digestAlgorithm.algorithmId]
  const algorithm = info.signatureAlgorithm.algorithmId
  const method = SIGNATURES[algorithm]
  if (!hash || method === undefined || !info.signedAttrs) return uncheckable()
  const digest = content.reduce((sum, part) => sum.update(part), createHash(hash)).digest()
  if (!octetsOf(attributeOf(info, oid.messageDigest)).equals(digest)) {
    return { state: 'invalid', findings: ['The signed part of the document was changed after it was signed.'] }
  }
  const padding = algorithm === RSA_PSS ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {}
  // The platform's check, because the ASN.1 library reads the two integers of an ECDSA signature leniently.
  const isGenuine = createVerify(method ?? hash)
    .update(Buffer.from(info.signedAttrs.encodedValue))
    .verify({ key: certificate.publicKey, ...padding }, Buffer.from(info.signature.valueBlock.valueHexView))
  if (!isGenuine) {
    return {
      state: 'invalid',
      findings: ['The signature is wrong: it was not made with the key of its certificate.'],
    }
  }
  const isWeak = hash === 'sha1' || method === 'sha1'
  return { state: 'valid', findings: isWeak ? ['The signature uses SHA-1, which no longer protects well.'] : [] }
}

function identifies(sid: unknown, certificate: pkijs.Certificate): boolean {
  if (sid instanceof pkijs.IssuerAndSerialNumber) {
    return sid.serialNumber.isEqual(certificate.serialNumber) && sid.issuer.isEqual(certificate.issuer)
  }
  const keyId = certificate.extensions?.find(({ extnID }) => extnID === SUBJECT_KEY_IDENTIFIER)?.parsedValue
  return sid instanceof asn1js.BaseBlock && keyId instanceof asn1js.OctetString && bytesEqual(sid, keyId)
}

const bytesEqual = (sid: asn1js.BaseBlock, keyId: asn1js.OctetString) =>
  octetsOf(sid).equals(Buffer.from(keyId.valueBlock.valueHexView))

function signingTimeOf(info: pkijs.SignerInfo): string | null {
  const value = attributeOf(info, oid.signingTime)
  return value instanceof asn1js.UTCTime || value instanceof asn1js.GeneralizedTime
    ? value.toDate().toISOString()
    : null
}
