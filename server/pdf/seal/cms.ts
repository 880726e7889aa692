/** A CAdES signature over bytes: PAdES B-B, detached, RSA or EC P-256 with SHA-256. Knows no PDF. */
import { createHash, webcrypto, X509Certificate } from 'node:crypto'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import './crypto-engine.ts'
import { withLowS } from './low-s.ts'
import { derOf } from './pem.ts'
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

/** The signature in DER. It bears no time of signing, which PAdES puts into the signature dictionary instead. */
export async function signDetached(content: Buffer, seal: SealKey): Promise<Buffer> {
  const certificateDer = derOf(seal.certificatePem)
  const certificate = pkijs.Certificate.fromBER(exact(certificateDer))
  const isEc = new X509Certificate(certificateDer).publicKey.asymmetricKeyType === 'ec'
  const algorithm = isEc ? { name: 'ECDSA', namedCurve: 'P-256' } : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const key = await webcrypto.subtle.importKey('pkcs8', derOf(seal.privateKeyPem), algorithm, false, ['sign'])
  const signer = new pkijs.SignerInfo({
    version: 1,
    sid: new pkijs.IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
    signedAttrs: new pkijs.SignedAndUnsignedAttributes({
      type: 0,
      attributes: [
        attribute(oid.contentType, new asn1js.ObjectIdentifier({ value: oid.data })),
        attribute(oid.messageDigest, octets(sha256(content))),
        // SHA-256 is this attribute's default, so its algorithm is left out.
        attribute(oid.signingCertificateV2, sequence(sequence(sequence(octets(sha256(certificateDer)))))),
      ],
    }),
  })
  const signed = new pkijs.SignedData({
    version: 1,
    encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: oid.data }),
    signerInfos: [signer],
    certificates: [certificate],
  })
  await signed.sign(key as unknown as Parameters<typeof signed.sign>[0], 0, 'SHA-256', exact(content))
  if (isEc) signer.signature = octets(withLowS(Buffer.from(signer.signature.valueBlock.valueHexView)))
  return encodeSigned(signed)
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
const octets = (bytes: Uint8Array) => new asn1js.OctetString({ valueHex: exact(bytes) })
const sequence = (...value: asn1js.BaseBlock[]) => new asn1js.Sequence({ value })
