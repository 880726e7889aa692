/** The documents that wait for the signer, kept up to date while somebody is at the page. */
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Waiting } from '../../operations/signer/messages.ts'
import { announce } from '../shared/announce.tsx'
import { call, sentenceOf } from '../shared/api.ts'

const REFRESH_MS = 15_000
/** A signer who has touched nothing for this long is away. */
const AWAY_MS = 5 * 60 * 1000

/** Returns the documents, the oldest first, null until they are known; and functions to refresh them and to replace them. */
export function useWaiting(route: string) {
  const [waiting, setWaiting] = useState<readonly Waiting[] | null>(null)
  const refresh = useCallback(async () => {
    try {
      setWaiting(await call<Waiting[]>('GET', '/inbox/api/documents'))
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
    }
  }, [])
  useEffect(() => whileInUse(refresh), [refresh])
  // On each change of the route, so that a signer who comes back to the list sees it as it is now.
  useEffect(() => {
    void refresh()
  }, [route, refresh])
  return { waiting, refresh, setWaiting }
}

/**
 * Refreshes again and again while the page is in sight and in use, and whenever it comes into sight. Not at other times: asking
 * counts as use, and would keep a forgotten session open. Returns a function that ends this.
 */
function whileInUse(refresh: () => Promise<void>): () => void {
  let usedAt = Date.now()
  const use = () => {
    usedAt = Date.now()
  }
  const refreshInSight = () => {
    if (document.visibilityState === 'visible') void refresh()
  }
  const timer = setInterval(() => {
    if (Date.now() - usedAt < AWAY_MS) refreshInSight()
  }, REFRESH_MS)
  addEventListener('pointermove', use, { passive: true })
  addEventListener('keydown', use)
  document.addEventListener('visibilitychange', refreshInSight)
  return () => {
    clearInterval(timer)
    removeEventListener('pointermove', use)
    removeEventListener('keydown', use)
    document.removeEventListener('visibilitychange', refreshInSight)
  }
}
