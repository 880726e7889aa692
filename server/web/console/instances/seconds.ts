/** The time, for what is shown second by second. */
import { useEffect, useState } from 'preact/hooks'

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
  if (seconds < 120) return `${seconds} s ago`
  return seconds < 2 * 3_600 ? `${Math.floor(seconds / 60)} min ago` : `${Math.floor(seconds / 3_600)} h ago`
}
