/** The certificates that a service has sealed with: documents stay valid when the service seals with another one later. */
import { certificatesIn } from '../../lib/pdf/seal/pem.ts'
import type { Store } from '../store/store.ts'

/** Remembers the current certificate. Returns all of them as PEM, one after another, the current one first. */
export async function rememberCertificate(
  current: string,
  store: Pick<Store, 'keepsake' | 'keepAnew'>,
  at: Date,
): Promise<string> {
  const kept = await store.keepsake(KEPT, at, async () => [current])
  if (kept[0] === current) return kept.join('')
  const all = [current, ...kept.filter((certificate) => certificate !== current)]
  await store.keepAnew(KEPT, at, all)
  return all.join('')
}

/** All that are remembered, in the same form; empty when the service was never started. */
export const certificatesOf = async (store: Pick<Store, 'kept'>): Promise<string> =>
  ((await store.kept<string[]>(KEPT)) ?? []).join('')

/** The certificate that the service seals with now, out of those. */
export const currentOf = (certificates: string): string | undefined => certificatesIn(certificates)[0]

const KEPT = 'seal certificates'
