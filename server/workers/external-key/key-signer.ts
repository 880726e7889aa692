/** Signs with a key that stays in a device or in another service, and checks each signature by the certificate of the seal. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { type Clock, timeOf } from '../../../lib/clock.ts'
import type { ExternalKeyPlace, KeyProblem, KeySigned, KeySigner } from '../../domain/external-key.ts'
import type { Way } from '../post-once.ts'
import { signByAws } from './aws-kms.ts'
import { signByGoogle } from './google-kms.ts'
import { signByPkcs11 } from './pkcs11.ts'

export interface ToBeSigned {
  /** The bytes that are signed, with SHA-256. */
  bytes: Uint8Array
  /** Its SHA-256. */
  digest: Buffer
  /** An EC P-256 key signs; otherwise an RSA key, by PKCS #1 v1.5. */
  isEc: boolean
  /** Now. */
  at: Date
}

/** @param secret the PIN of the device, `KEY-ID:SECRET` of AWS, or the JSON of a Google service account */
export function keySigner(
  place: ExternalKeyPlace,
  { certificatePem, secret, way, clock }: { certificatePem: string; secret: string; way: Way; clock: Clock },
): KeySigner {
  const { publicKey } = new X509Certificate(certificatePem)
  const isEc = publicKey.asymmetricKeyType === 'ec'

  function signedBy(asked: ToBeSigned): Promise<KeySigned> {
    switch (place.kind) {
      case 'pkcs11':
        return signByPkcs11(place, secret, asked, way.timeoutMs)
      case 'aws':
        return signByAws(place, secret, asked, way)
      case 'google':
        return signByGoogle(place, secret, asked, way)
    }
  }

  return {
    certificatePem,
    privateKeyPem: null,
    async sign(bytes) {
      const digest = createHash('sha256').update(bytes).digest()
      const signed = await signedBy({ bytes, digest, isEc, at: timeOf(clock) }).catch(() => ({
        problem: 'unreadable' as KeyProblem,
      }))
      if ('problem' in signed) return signed
      return verify('sha256', bytes, publicKey, signed.signature) ? signed : { problem: 'anotherKey' }
    },
  }
}
