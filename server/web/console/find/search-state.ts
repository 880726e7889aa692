/** The words of a search: kept with their place in the history of the tab alone, because an address would show a patient's name. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { go } from '../../shared/route.ts'

export const FIND = 'find'
const SEARCHED = 'countersign-searched'

/** Opens the page of results. */
export function startSearch(words: string): void {
  if (location.hash !== `#/${FIND}`) go(FIND)
  history.replaceState({ ...history.state, search: words }, '')
  dispatchEvent(new Event(SEARCHED))
}

const current = (): string => (history.state as { search?: string } | null)?.search ?? ''

/** Returns what was searched for at this place of the history. */
export function useSearch(): string {
  const [words, setWords] = useState(current)
  useLayoutEffect(() => {
    const follow = () => setWords(current())
    for (const event of [SEARCHED, 'popstate']) addEventListener(event, follow)
    return () => {
      for (const event of [SEARCHED, 'popstate']) removeEventListener(event, follow)
    }
  }, [])
  return words
}
