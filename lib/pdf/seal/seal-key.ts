/** The key and certificate that seal a document. Keeps nothing. */
import { createPrivateKey, X509Certificate } from 'node:crypto'

/** Both are PEM, so that a store can keep them. The private key is a secret: encrypt it at rest, never log it. */
export interface SealKey {
  /** The certificate, in PEM. */
  certificatePem: string
  /** Its private key, in PEM. */
  privateKeyPem: string
}

/** A key by its certificate alone, when it never leaves a device or another service: what it signs is sent there. */
export interface ExternalKey {
  /** The certificate, in PEM. */
  certificatePem: string
  /** Null, because the key cannot be read. */
  privateKeyPem: null
}

/** Throws when the two do not belong together, or the key is of a kind that we do not sign with. */
export function checkSealKey({ certificatePem, privateKeyPem }: SealKey | ExternalKey): void {
  const certificate = new X509Certificate(certificatePem)
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
  const isP256 = asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1'
  if (!isP256 && asymmetricKeyType !== 'rsa') throw new Error('The seal certificate needs an RSA or an EC P-256 key')
  if (privateKeyPem !== null && !certificate.checkPrivateKey(createPrivateKey(privateKeyPem))) {
    throw new Error('The private key does not belong to the seal certificate')
  }
}
