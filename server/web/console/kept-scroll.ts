/** Where a list was scrolled to: kept with its place in the history, so that Back leads to the same line. */
import { useLayoutEffect } from 'preact/hooks'

const SETTLED_MS = 50

/** @param isLoaded whether the lines are there, without which there is nothing to scroll to */
export function useKeptScroll(isLoaded: boolean): void {
  useLayoutEffect(() => {
    if (!isLoaded) return
    const { scroll = 0 } = (history.state ?? {}) as { scroll?: number }
    if (scroll > 0) scrollTo(0, scroll)
    let settled: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      clearTimeout(settled)
      const at = scrollY
      settled = setTimeout(() => history.replaceState({ ...history.state, scroll: at }, ''), SETTLED_MS)
    }
    addEventListener('scroll', keep)
    return () => {
      clearTimeout(settled)
      removeEventListener('scroll', keep)
    }
  }, [isLoaded])
}
