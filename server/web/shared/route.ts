/** The place inside a page, after the # of its address: words and ids, nothing else. */
import { useLayoutEffect, useState } from 'preact/hooks'

const current = (): string => location.hash.replace(/^#\/?/, '')

export function useRoute(): string {
  const [route, setRoute] = useState(current)
  // Before the page is painted: who is quick, or whose device is slow, would go somewhere before anybody listens.
  useLayoutEffect(() => {
    const follow = () => setRoute(current())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}

export const go = (route: string) => {
  location.hash = `/${route}`
}
