/** The one place where a page says that the service does not answer. It asks until the service answers again. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import { announce } from './announce.tsx'
import { ApiError, call, isServiceLost, noteConnection, onConnection, SESSION, sentenceOf } from './api.ts'

const ASK_EVERY_MS = 5_000

/** Returns whether the service did not answer the last call. */
export function useIsLost(): boolean {
  const [isLost, setLost] = useState(isServiceLost)
  useEffect(() => onConnection(() => setLost(isServiceLost())), [])
  return isLost
}

/** Returns a number that changes when the service answers again, where that is wanted: what depends on it is loaded again. */
export function useConnectionRound(isWanted = true): number {
  const [round, setRound] = useState(0)
  const wanted = useRef(isWanted)
  wanted.current = isWanted
  useEffect(
    () =>
      onConnection(() => {
        if (!isServiceLost() && wanted.current) setRound((before) => before + 1)
      }),
    [],
  )
  return round
}

export function ConnectionBanner() {
  const isAway = useIsLost()
  const wasLost = useRef(false)
  useEffect(() => {
    const lose = () => noteConnection(true)
    addEventListener('offline', lose)
    return () => removeEventListener('offline', lose)
  }, [])
  useEffect(() => {
    if (wasLost.current && !isAway) announce(t('service.answersAgain'))
    wasLost.current = isAway
    if (!isAway) return
    const ask = () => void call('GET', SESSION, undefined, { isUse: false }).catch(() => {})
    const timer = setInterval(ask, ASK_EVERY_MS)
    addEventListener('online', ask)
    return () => {
      clearInterval(timer)
      removeEventListener('online', ask)
    }
  }, [isAway])
  return (
    <div class="connection" role="alert">
      {isAway && <p>{t('service.unreachable')}</p>}
    </div>
  )
}

/** Says what failed, unless it is that the service does not answer, which the banner says. */
export function announceFailure(failure: unknown): void {
  if (!isLost(failure)) announce(sentenceOf(failure), 'wrong')
}

/** Returns whether a call failed because the service does not answer. */
export const isLost = (failure: unknown): boolean => isServiceLost() && failure instanceof ApiError
