/** The place inside a page, after the # of its address: words, ids, and after a question mark what narrows a list; nothing else. */
import { useLayoutEffect, useState } from 'preact/hooks'

/** Says whether another place may be opened. */
type Guard = (event: HashChangeEvent) => boolean
let guard: Guard = () => true

const whole = (): string => location.hash.replace(/^#\/?/, '')
const current = (): string => whole().split('?')[0]!
const query = (): string => whole().split('?')[1] ?? ''

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

/** Replacing the address fires no event, and several parts of a page may read it. */
const QUERY_CHANGE = 'countersign-query'

/** Returns what narrows the list of this place, and what changes it: the address then leads back to the list as it was. */
export function useListQuery(): [query: URLSearchParams, change: (change: Record<string, string | null>) => void] {
  const [text, setText] = useState(query)
  useLayoutEffect(() => {
    const follow = () => setText(query())
    for (const name of ['hashchange', QUERY_CHANGE]) addEventListener(name, follow)
    return () => {
      for (const name of ['hashchange', QUERY_CHANGE]) removeEventListener(name, follow)
    }
  }, [])
  const change = (wanted: Record<string, string | null>) => {
    const next = new URLSearchParams(query())
    for (const [name, value] of Object.entries(wanted)) {
      if (value === null || value === '') next.delete(name)
      else next.set(name, value)
    }
    const found = `${next}`
    history.replaceState(history.state, '', `#/${current()}${found && `?${found}`}`)
    dispatchEvent(new Event(QUERY_CHANGE))
  }
  return [new URLSearchParams(text), change]
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
