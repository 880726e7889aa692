/** Reads something of the control room again and again while the page is in sight. */
import { useCallback, useEffect, useState } from 'preact/hooks'
import { look } from './room-api.ts'

const LOOK_EVERY_MS = 1_000

/** Returns what was read last, undefined before that, and what reads it again at once. A look that fails changes nothing. */
export function useLooks<T>(path: string): [value: T | undefined, again: () => Promise<void>] {
  const [value, setValue] = useState<T>()
  const again = useCallback(
    () =>
      look<T>(path).then(
        (read) => setValue(read),
        () => {},
      ),
    [path],
  )
  useEffect(() => {
    let isOpen = true
    let timer = 0
    const next = async () => {
      if (!document.hidden) await again()
      if (isOpen) timer = window.setTimeout(next, LOOK_EVERY_MS)
    }
    void next()
    return () => {
      isOpen = false
      clearTimeout(timer)
    }
  }, [again])
  return [value, again]
}
