/** The place inside a page, after the # of its address: words and ids, nothing else. */
import { useEffect, useState } from 'preact/hooks'

const current = (): string => location.hash.replace(/^#\/?/, '')

export function useRoute(): string {
  const [route, setRoute] = useState(current)
  useEffect(() => {
    const follow = () => setRoute(current())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}

export const go = (route: string) => {
  location.hash = `/${route}`
}
