/** The signature that the service keeps for the signer. */
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../shared/api.ts'
import { announceFailure } from '../../shared/connection.tsx'

export const KEPT_SIGNATURE = '/inbox/api/signature'

/** Returns the kept signature, a PNG as Base64, null while it is not known and when there is none; and a function that deletes it. */
export function useKeptSignature(): [kept: string | null, forget: () => Promise<void>] {
  const [kept, setKept] = useState<string | null>(null)
  useEffect(() => {
    call<{ drawn: string | null }>('GET', KEPT_SIGNATURE).then(({ drawn }) => setKept(drawn), tell)
  }, [])
  const forget = () => call('DELETE', KEPT_SIGNATURE).then(() => setKept(null), tell)
  return [kept, forget]
}

const tell = (failure: unknown) => announceFailure(failure)
