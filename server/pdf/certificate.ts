/** The certificate and key that seal documents: made once by the service, or read from a P12 file. Keeps nothing. */
import { createPrivateKey, randomBytes, webcrypto, X509Certificate } from 'node:crypto'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import './crypto-engine.ts'

/** Both as PEM, so that a store can keep them. The private key is a secret: encrypt it at rest, never log it. */
export interface SealKey {
  certificatePem: string
  privateKeyPem: string
}

const YEARS = 10
const KEY_USAGE = '2.5.29.15'
const BASIC_CONSTRAINTS = '2.5.29.19'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const DOCUMENT_SIGNING = '1.3.6.1.5.5.7.3.36'

/** A self-signed certificate with a new EC P-256 key, valid for ten years from `now`. */
export async function createSealCertificate(now: Date): Promise<SealKey> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = new pkijs.Certificate()
  certificate.version = 2
  // Positive, and as long as the profile allows.
  const serial = randomBytes(16)
  serial[0] = (serial[0]! & 0x3f) | 0x40
  certificate.serialNumber = new asn1js.Integer({ valueHex: new Uint8Array(serial).buffer })
  const names = [
    ['2.5.4.10', 'Countersign'],
    ['2.5.4.3', 'Countersign document seal'],
  ] as const
  for (const name of [certificate.subject, certificate.issuer]) {
    for (const [type, value] of names) {
      name.typesAndValues.push(new pkijs.AttributeTypeAndValue({ type, value: new asn1js.Utf8String({ value }) }))
    }
  }
  // A little back, for verifiers whose clock is behind.
  certificate.notBefore.value = new Date(now.getTime() - 60 * 60 * 1000)
  const end = new Date(now)
  end.setUTCFullYear(end.getUTCFullYear() + YEARS)
  certificate.notAfter.value = end
  const extension = (extnID: string, critical: boolean, value: asn1js.BaseBlock) =>
    new pkijs.Extension({ extnID, critical, extnValue: value.toBER(false) })
  const signatureAndNonRepudiation = new asn1js.BitString({ valueHex: new Uint8Array([0xc0]).buffer, unusedBits: 6 })
  certificate.extensions = [
    extension(BASIC_CONSTRAINTS, true, new asn1js.Sequence()),
    extension(KEY_USAGE, true, signatureAndNonRepudiation),
    extension(EXTENDED_KEY_USAGE, false, new pkijs.ExtKeyUsage({ keyPurposes: [DOCUMENT_SIGNING] }).toSchema()),
  ]
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey)
  await certificate.sign(keys.privateKey, 'SHA-256')
  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    certificatePem: pem('CERTIFICATE', certificate.toSchema().toBER(false)),
    privateKeyPem: pem('PRIVATE KEY', der),
  }
}

/** The bytes of a PEM block. */
export const derOf = (text: string): Buffer => Buffer.from(text.replace(/-----[^-]+-----|\s/g, ''), 'base64')

export function pem(label: string, der: ArrayBuffer | Uint8Array): string {
  const text = Buffer.from(der instanceof Uint8Array ? der : new Uint8Array(der)).toString('base64')
  return `-----BEGIN ${label}-----\n${text.replace(/(.{64})(?=.)/g, '$1\n')}\n-----END ${label}-----\n`
}

/** Throws when the two do not belong together or the key is of a kind we do not sign with. */
export function checkSealKey({ certificatePem, privateKeyPem }: SealKey): void {
  const certificate = new X509Certificate(certificatePem)
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
  const isP256 = asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1'
  if (!isP256 && asymmetricKeyType !== 'rsa') throw new Error('The seal certificate needs an RSA or an EC P-256 key')
  if (!certificate.checkPrivateKey(createPrivateKey(privateKeyPem))) {
    throw new Error('The private key does not belong to the seal certificate')
  }
}
