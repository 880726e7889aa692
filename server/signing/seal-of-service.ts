/** The key that seals the documents of this service: the operator's, from a file, or one that is made once and kept in the store. */
import type { SealKey } from '../../lib/pdf/seal/seal-key.ts'
import { SANDBOX_SUBJECT, SEAL_SUBJECT } from '../../lib/pdf/seal/seal-names.ts'
import { readNamedFile, whyUnread } from '../../lib/plain-file.ts'
import type { Store } from '../store/store.ts'

export interface SealSettings {
  /** A P12 (PFX) file with a certificate and its private key. */
  sealP12?: string | undefined
  sealPassword?: string | undefined
  sandbox?: boolean
}

/**
 * Rejects with a sentence for the operator when the P12 file cannot be used. What reads P12 files and makes certificates is
 * loaded only when it is needed, because it is large.
 */
export async function sealOfService(
  { sealP12, sealPassword, sandbox = false }: SealSettings,
  store: Pick<Store, 'keepsake'>,
  at: Date,
): Promise<SealKey> {
  if (sealP12 !== undefined) return sealFromFile(sealP12, sealPassword)
  return store.keepsake(sandbox ? 'sandbox seal' : 'seal', at, async () => {
    const { createSealCertificate } = await import('../pdf/seal/certificate.ts')
    return createSealCertificate(at, sandbox ? SANDBOX_SUBJECT : SEAL_SUBJECT)
  })
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
