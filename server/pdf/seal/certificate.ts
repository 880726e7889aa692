/** The certificate and key that seal documents: made once by the service, or read from a P12 file. Keeps nothing. */
import { randomBytes, webcrypto } from 'node:crypto'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import './crypto-engine.ts'
import { pem } from '../../../lib/pdf/seal/pem.ts'
import type { SealKey } from '../../../lib/pdf/seal/seal-key.ts'
import { SEAL_SUBJECT } from '../../../lib/pdf/seal/seal-names.ts'

export type { SealKey } from '../../../lib/pdf/seal/seal-key.ts'
export { readP12 } from './p12.ts'

const YEARS = 10
const COMMON_NAME = '2.5.4.3'
const KEY_USAGE = '2.5.29.15'
const BASIC_CONSTRAINTS = '2.5.29.19'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const DOCUMENT_SIGNING = '1.3.6.1.5.5.7.3.36'

/** A self-signed certificate with a new EC P-256 key, valid for ten years from `now`. */
export async function createSealCertificate(now: Date, subject = SEAL_SUBJECT): Promise<SealKey> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = new pkijs.Certificate()
  certificate.version = 2
  // Positive, and without a zero in front.
  const serial = randomBytes(16)
  serial[0] = (serial[0]! & 0x3f) | 0x40
  certificate.serialNumber = new asn1js.Integer({ valueHex: new Uint8Array(serial).buffer })
  for (const name of [certificate.subject, certificate.issuer]) {
    const value = new asn1js.Utf8String({ value: subject })
    name.typesAndValues.push(new pkijs.AttributeTypeAndValue({ type: COMMON_NAME, value }))
  }
  // An hour ago, for verifiers whose clock is behind.
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
