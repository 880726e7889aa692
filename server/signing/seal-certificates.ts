/** The certificates that the documents of a service were sealed with: what was sealed stays valid when the seal is another. */
import { certificatesIn } from '../pdf/seal/pem.ts'
import type { Store } from '../store/store.ts'

/** PEM of all of them, one after another, the current one first. Remembers the current one. */
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

/** The same, for reading only; empty when the service was not started yet. */
export const certificatesOf = async (store: Pick<Store, 'kept'>): Promise<string> =>
  ((await store.kept<string[]>(KEPT)) ?? []).join('')

/** The one that the service seals with now, of those. */
export const currentOf = (certificates: string): string | undefined => certificatesIn(certificates)[0]

const KEPT = 'seal certificates'
