/** Checks a signer's part of a CMS signature: which certificate it names, and whether the holder of that one signed. Trusts no one. */
import { constants, createHash, createVerify, X509Certificate } from 'node:crypto'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import { oid } from './cms.ts'
import { attributeOf, octetsOf } from './cms-form.ts'

export interface Judged {
  /** `unknown`: made in a way that we cannot check, which says nothing about what is signed. */
  state: 'valid' | 'invalid' | 'unknown'
  findings: string[]
}

export const uncheckable = (): Judged => ({
  state: 'unknown',
  findings: ['The signature uses a method that this program does not check.'],
})

/** Did the holder of the certificate sign these bytes? @param content in pieces, one after another */
export function judge(info: pkijs.SignerInfo, certificate: X509Certificate, content: readonly Buffer[]): Judged {
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

/** The certificate that a signature names as that of its maker, out of those that it carries. */
export const certificateOf = (info: pkijs.SignerInfo, certificates: readonly pkijs.Certificate[]) =>
  certificates.find((candidate) => identifies(info.sid, candidate))

/** Returns the certificates that a signature carries, without other things among them. */
export const carriedBy = (signed: pkijs.SignedData): pkijs.Certificate[] =>
  (signed.certificates ?? []).filter((item) => item instanceof pkijs.Certificate)

export const x509Of = (certificate: pkijs.Certificate) =>
  new X509Certificate(Buffer.from(certificate.toSchema(false).toBER(false)))

function identifies(sid: unknown, certificate: pkijs.Certificate): boolean {
  if (sid instanceof pkijs.IssuerAndSerialNumber) {
    return sid.serialNumber.isEqual(certificate.serialNumber) && sid.issuer.isEqual(certificate.issuer)
  }
  const keyId = certificate.extensions?.find(({ extnID }) => extnID === SUBJECT_KEY_IDENTIFIER)?.parsedValue
  return sid instanceof asn1js.BaseBlock && keyId instanceof asn1js.OctetString && bytesEqual(sid, keyId)
}

const bytesEqual = (sid: asn1js.BaseBlock, keyId: asn1js.OctetString) =>
  octetsOf(sid).equals(Buffer.from(keyId.valueBlock.valueHexView))

/** The digest algorithms that are checked, by object identifier. */
export const DIGESTS: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}
const RSA_PSS = '1.2.840.113549.1.1.10'
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14'
/** The hash of the attributes for each signature method; null where it is the digest of the content. */
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
