/** The place inside a page, after the # of its address: words and ids, nothing else. */
import { useLayoutEffect, useState } from 'preact/hooks'

/** Says whether another place may be opened. */
type Guard = (event: HashChangeEvent) => boolean
let guard: Guard = () => true

const current = (): string => location.hash.replace(/^#\/?/, '')

/** Returns the place that is open, without `#/`; the component is drawn again when it changes. */
export function useRoute(): string {
  const [route, setRoute] = useState(current)
  // In a layout effect, because a quick visitor follows a link before an effect that runs after painting would listen.
  useLayoutEffect(() => {
    const follow = (event: HashChangeEvent) => {
      if (guard(event)) setRoute(current())
      // The address has changed already.
      else history.pushState(null, '', event.oldURL)
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}

/** Has the given function asked before another place is opened. Returns a function that ends this. */
export function guardRoute(given: Guard): () => void {
  guard = given
  return () => {
    guard = () => true
  }
}

/** Goes to another place inside the page. */
export const go = (route: string) => {
  location.hash = `/${route}`
}

/** The same without a way back to the place that is left. */
export const goInstead = (route: string) => location.replace(`#/${route}`)
