/**
 * The key that seals the documents of this service: the operator's, elsewhere or from a file, or one that is made once and kept in the
 * store.
 */
import { certificatesIn } from '../../lib/pdf/seal/pem.ts'
import { checkSealKey, type ExternalKey, type SealKey } from '../../lib/pdf/seal/seal-key.ts'
import { SANDBOX_SUBJECT, SEAL_SUBJECT } from '../../lib/pdf/seal/seal-names.ts'
import { readNamedFile, whyUnread } from '../../lib/plain-file.ts'
import type { Store } from '../store/store.ts'

export interface SealSettings {
  /** A P12 (PFX) file with a certificate and its private key. */
  sealP12?: string | undefined
  sealPassword?: string | undefined
  /** The address of a key that is elsewhere. */
  sealKey?: string | undefined
  /** PEM of its certificate. */
  sealCertificate?: string | undefined
  sandbox?: boolean
}

/**
 * Rejects with a sentence for the operator when the P12 file or the certificate cannot be used. What reads P12 files and makes certificates is
 * loaded only when it is needed, because it is large.
 */
export async function sealOfService(
  { sealP12, sealPassword, sealKey, sealCertificate, sandbox = false }: SealSettings,
  store: Pick<Store, 'keepsake'>,
  at: Date,
): Promise<SealKey | ExternalKey> {
  if (sealKey !== undefined) return externalKey(sealCertificate ?? '')
  if (sealP12 !== undefined) return sealFromFile(sealP12, sealPassword)
  return store.keepsake(sandbox ? 'sandbox seal' : 'seal', at, async () => {
    const { createSealCertificate } = await import('../pdf/seal/certificate.ts')
    return createSealCertificate(at, sandbox ? SANDBOX_SUBJECT : SEAL_SUBJECT)
  })
}

/** Throws a sentence when the PEM is not one certificate of a kind of key that we sign with. */
export function externalKey(sealCertificate: string): ExternalKey {
  const [certificatePem, ...others] = certificatesIn(sealCertificate)
  if (certificatePem === undefined || others.length > 0)
    throw new Error('The seal certificate must be one certificate, without those of its authorities.')
  const key = { certificatePem: `${certificatePem}\n`, privateKeyPem: null }
  try {
    checkSealKey(key)
  } catch {
    throw new Error('The seal certificate cannot be used: it needs an RSA or an EC P-256 key.')
  }
  return key
}

/** Rejects with a sentence when the file cannot be read, or is not opened by the password. */
export async function sealFromFile(file: string, password = ''): Promise<SealKey> {
  const bytes = p12In(file)
  const { readP12 } = await import('../pdf/seal/p12.ts')
  return readP12(bytes, password)
}

function p12In(file: string): Buffer {
  try {
    return readNamedFile(file)
  } catch (failure) {
    throw new Error(`The P12 file ${file} ${whyUnread(failure as NodeJS.ErrnoException)}.`)
  }
}
