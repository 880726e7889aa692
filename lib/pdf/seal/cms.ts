/** A CAdES signature over bytes: PAdES B-B, detached, RSA or EC P-256 with SHA-256. Knows no PDF. */
import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto'
import type * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import { der, elementsIn, objectIdentifier, sequence, TAG } from './encoding/der.ts'
import { withLowS } from './encoding/low-s.ts'
import type { SealKey } from './seal-key.ts'

export const oid = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  rsaWithSha256: '1.2.840.113549.1.1.11',
  timestampToken: '1.2.840.113549.1.9.16.2.14',
} as const

/**
 * Returns the signature of `content`, in DER. It has no time of signing, which PAdES puts into the signature dictionary instead.
 * @param content in pieces, one after another
 */
export function signDetached(content: readonly Uint8Array[], seal: SealKey): Buffer {
  const attributes = signedAttributes(content, seal.certificatePem)
  return signedData(attributes, sign('sha256', attributes, createPrivateKey(seal.privateKeyPem)), seal.certificatePem)
}

/**
 * Returns the bytes that the key signs, with SHA-256: a SET of attributes in DER, which has the digest of the content.
 * @param content in pieces, one after another
 */
export function signedAttributes(content: readonly Uint8Array[], certificatePem: string): Buffer {
  const digest = content.reduce((sum, part) => sum.update(part), createHash('sha256')).digest()
  return der(
    TAG.set,
    attributeWith(oid.contentType, objectIdentifier(oid.data)),
    attributeWith(oid.messageDigest, der(TAG.octets, digest)),
    // SHA-256 is this attribute's default, so its algorithm is omitted.
    attributeWith(
      oid.signingCertificateV2,
      sequence(sequence(sequence(der(TAG.octets, sha256(new X509Certificate(certificatePem).raw))))),
    ),
  )
}

/**
 * Returns the signature in DER, as it is embedded. Written without the library that reads it back, which checks what is written here.
 * @param attributes as `signedAttributes` returns them
 * @param signature of the attributes: of an EC key in DER, as it is of an RSA key. Throws when it is neither
 */
export function signedData(attributes: Buffer, signature: Uint8Array, certificatePem: string): Buffer {
  const { raw, publicKey } = new X509Certificate(certificatePem)
  const isEc = publicKey.asymmetricKeyType === 'ec'
  const signer = sequence(
    VERSION_1,
    sequence(...issuerAndSerialNumber(raw)),
    SHA256,
    der(TAG.first, ...elementsIn(attributes)),
    sequence(objectIdentifier(isEc ? oid.ecdsaWithSha256 : oid.rsaWithSha256)),
    der(TAG.octets, isEc ? withLowS(signature) : Buffer.from(signature)),
  )
  const signed = sequence(
    VERSION_1,
    der(TAG.set, SHA256),
    sequence(objectIdentifier(oid.data)),
    der(TAG.first, raw),
    der(TAG.set, signer),
  )
  return sequence(objectIdentifier(oid.signedData), der(TAG.first, signed))
}

const VERSION_1 = der(TAG.integer, Buffer.from([1]))
const SHA256 = sequence(objectIdentifier(oid.sha256), der(TAG.nothing))

const attributeWith = (type: string, value: Buffer) => sequence(objectIdentifier(type), der(TAG.set, value))

/** Both as they are in the certificate, bit by bit. */
function issuerAndSerialNumber(certificate: Buffer): Buffer[] {
  const [signed] = elementsIn(certificate)
  const parts = elementsIn(signed!)
  // The version comes first, unless it is the oldest.
  const [serialNumber, , issuer] = parts[0]![0] === TAG.integer ? parts : parts.slice(1)
  return [issuer!, serialNumber!]
}

/** In DER, as ContentInfo. */
export const encodeSigned = (signed: pkijs.SignedData): Buffer =>
  Buffer.from(
    new pkijs.ContentInfo({ contentType: oid.signedData, content: signed.toSchema(true) }).toSchema().toBER(false),
  )

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** A buffer that holds these bytes and no others, as the ASN.1 library wants it. */
export const exact = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

export const attribute = (type: string, value: asn1js.BaseBlock) => new pkijs.Attribute({ type, values: [value] })
