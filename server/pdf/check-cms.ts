/** Checks one CMS signature against the bytes it should sign. Mathematics and form only; trusts nobody. */
import { constants, createHash, createVerify, X509Certificate } from 'node:crypto'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import { encodeSigned, exact, oid, sha256 } from './cms.ts'
import type { SignatureBytes } from './signature-bytes.ts'

export interface CheckedCms {
  /** `unknown`: made in a way that we cannot check, which says nothing about the document. */
  state: 'valid' | 'invalid' | 'unknown'
  findings: string[]
  certificate: X509Certificate | null
  signingTime: string | null
}

const DIGESTS: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}
const RSA_PSS = '1.2.840.113549.1.1.10'
/** What each signature method hashes the attributes with; null: as the content is hashed. */
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

/** Ways of signing a PDF in which the bytes themselves are signed. Others sign a digest of them, or a time. */
const CHECKED_WAYS = new Set(['adbe.pkcs7.detached', 'ETSI.CAdES.detached'])

/** @param content the signed runs. */
export function checkCms({ contents, subFilter, isSeal }: SignatureBytes, content: readonly Buffer[]): CheckedCms {
  const failed = (finding: string): CheckedCms => ({
    state: 'invalid',
    findings: [finding],
    certificate: null,
    signingTime: null,
  })
  if (!/^<[0-9A-Fa-f\s]*>$/.test(contents)) return failed('The place of the signature holds something else as well.')
  const raw = Buffer.from(contents.slice(1, -1).replace(/\s+/g, ''), 'hex')
  try {
    const parsed = asn1js.fromBER(exact(raw))
    if (parsed.offset < 0) return failed('The signature is damaged: it cannot be decoded.')
    const signed = new pkijs.SignedData({ schema: new pkijs.ContentInfo({ schema: parsed.result }).content })
    const [info] = signed.signerInfos
    const certificates = (signed.certificates ?? []).filter((item) => item instanceof pkijs.Certificate)
    const certificate = info && certificates.find((candidate) => identifies(info.sid, candidate))
    if (!info || !certificate) return failed('The signature is damaged: it does not carry its certificate.')
    const der = Buffer.from(certificate.toSchema(false).toBER(false))
    const x509 = new X509Certificate(der)
    const result = CHECKED_WAYS.has(subFilter) ? verdict(info, x509, content) : uncheckable()
    // Our own seals are checked for the form in which we write, down to each bit of it.
    if (isSeal && result.state === 'valid') {
      const isOurForm =
        /^<(?:[0-9a-f]{2})+>$/.test(contents) &&
        raw.subarray(parsed.offset).every((byte) => byte === 0) &&
        isFormWeWrite(signed, info, certificate, der) &&
        encodeSigned(signed).equals(raw.subarray(0, parsed.offset))
      if (!isOurForm) {
        result.state = 'invalid'
        result.findings.push('The signature was altered: it is not in the form in which it was written.')
      }
    }
    return { ...result, certificate: x509, signingTime: signingTimeOf(info) }
  } catch {
    return failed('The signature is damaged: it cannot be decoded.')
  }
}

type Judged = Pick<CheckedCms, 'state' | 'findings'>

const uncheckable = (): Judged => ({
  state: 'unknown',
  findings: ['The signature uses a method that this program does not check.'],
})

function verdict(info: pkijs.SignerInfo, certificate: X509Certificate, content: readonly Buffer[]): Judged {
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

/** What no digest covers must be as cms.ts writes it: versions, algorithms, signer id, and nothing unsigned. */
function isFormWeWrite(
  signed: pkijs.SignedData,
  info: pkijs.SignerInfo,
  certificate: pkijs.Certificate,
  der: Buffer,
): boolean {
  const encoded = (value: { toSchema(): asn1js.BaseBlock }) => Buffer.from(value.toSchema().toBER(false))
  const [algorithm, ...moreAlgorithms] = signed.digestAlgorithms
  const { issuer, serialNumber } = certificate
  const hashList = children(children(children(attributeOf(info, oid.signingCertificateV2))[0])[0])
  const keyType = new X509Certificate(der).publicKey.asymmetricKeyType
  return (
    signed.version === 1 &&
    info.version === 1 &&
    signed.signerInfos.length === 1 &&
    signed.certificates?.length === 1 &&
    !info.unsignedAttrs &&
    !signed.crls &&
    !signed.ocsps &&
    algorithm?.algorithmId === oid.sha256 &&
    moreAlgorithms.length === 0 &&
    encoded(algorithm).equals(encoded(info.digestAlgorithm)) &&
    info.signatureAlgorithm.algorithmId === (keyType === 'ec' ? oid.ecdsaWithSha256 : oid.rsaWithSha256) &&
    // Compared as bytes: comparing names would fold their case.
    encoded(info.sid as pkijs.IssuerAndSerialNumber).equals(
      encoded(new pkijs.IssuerAndSerialNumber({ issuer, serialNumber })),
    ) &&
    attributeOf(info, oid.contentType)?.valueBlock.toString() === oid.data &&
    octetsOf(hashList[0]).equals(sha256(der))
  )
}

function identifies(sid: unknown, certificate: pkijs.Certificate): boolean {
  if (sid instanceof pkijs.IssuerAndSerialNumber) {
    return sid.serialNumber.isEqual(certificate.serialNumber) && sid.issuer.isEqual(certificate.issuer)
  }
  const keyId = certificate.extensions?.find(({ extnID }) => extnID === '2.5.29.14')?.parsedValue
  return sid instanceof asn1js.BaseBlock && keyId instanceof asn1js.OctetString && bytesEqual(sid, keyId)
}

const bytesEqual = (sid: asn1js.BaseBlock, keyId: asn1js.OctetString) =>
  octetsOf(sid).equals(Buffer.from(keyId.valueBlock.valueHexView))

const attributeOf = (info: pkijs.SignerInfo, type: string): asn1js.BaseBlock | undefined =>
  info.signedAttrs?.attributes.find((attribute) => attribute.type === type)?.values[0]

const octetsOf = (block: asn1js.BaseBlock | undefined): Buffer =>
  Buffer.from((block?.valueBlock as { valueHexView?: Uint8Array } | undefined)?.valueHexView ?? [])

const children = (block: asn1js.BaseBlock | undefined): asn1js.BaseBlock[] =>
  (block?.valueBlock as { value?: asn1js.BaseBlock[] } | undefined)?.value ?? []

function signingTimeOf(info: pkijs.SignerInfo): string | null {
  const value = attributeOf(info, oid.signingTime)
  return value instanceof asn1js.UTCTime || value instanceof asn1js.GeneralizedTime
    ? value.toDate().toISOString()
    : null
}
