/** The documents that wait for the signer, kept up to date while the page is in sight. */
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Waiting } from '../../operations/signer/messages.ts'
import { call } from '../shared/api.ts'
import { announceFailure, useConnectionRound } from '../shared/connection.tsx'
import { keepUpToDate } from './up-to-date.ts'

/** Returns the documents, the oldest first, null until they are known; and functions to refresh them and to replace them. */
export function useWaiting(route: string) {
  const [waiting, setWaiting] = useState<readonly Waiting[] | null>(null)
  const load = useCallback(async (isUse: boolean) => {
    try {
      setWaiting(await call<Waiting[]>('GET', '/inbox/api/documents', undefined, { isUse }))
    } catch (failure) {
      announceFailure(failure)
    }
  }, [])
  const refresh = useCallback(() => load(true), [load])
  useEffect(() => keepUpToDate(load), [load])
  const round = useConnectionRound()
  // On each change of the route, so that a signer who comes back to the list sees it as it is now.
  useEffect(() => {
    void refresh()
  }, [route, refresh, round])
  return { waiting, refresh, setWaiting }
}
