/** The signature that the signer continues using: the kept one, until another is given. One tap places it. */
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../shared/api.ts'
import type { Signature } from '../desk/draft.ts'
import { KEPT_SIGNATURE } from './kept-signature.ts'

export interface Adoption {
  /** Null until one was given in this session, unless the service keeps one. */
  adopted: Signature | null
  adopt(signature: Signature): void
  /** Once the service keeps it, it is not sent to be kept again. */
  kept(): void
  forget(): void
}

export function useAdoptedSignature(): Adoption {
  const [adopted, setAdopted] = useState<Signature | null>(null)
  useEffect(() => {
    // The dialog reports the error and asks again.
    call<{ drawn: string | null }>('GET', KEPT_SIGNATURE).then(
      ({ drawn }) => drawn !== null && setAdopted((given) => given ?? { kind: 'drawn', png: drawn, keep: false }),
      () => {},
    )
  }, [])
  return {
    adopted,
    adopt: setAdopted,
    kept: () => setAdopted((given) => (given?.kind === 'drawn' ? { ...given, keep: false } : given)),
    forget: () => setAdopted(null),
  }
}
