/** The time, for what is shown second by second. */
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../words/words.ts'

/** Returns the time in ms since 1970, again every second. */
export function useSeconds(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(clock)
  }, [])
  return now
}

export function ago(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  if (seconds < 120) return t('time.ago.seconds', { count: seconds })
  return seconds < 2 * 3_600
    ? t('time.ago.minutes', { count: Math.floor(seconds / 60) })
    : t('time.ago.hours', { count: Math.floor(seconds / 3_600) })
}
