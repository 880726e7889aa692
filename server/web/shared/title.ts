/** The title of a part of a page: it names the window, and a screen reader reads it first when the part opens. */
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Returns the ref of the heading that has the title; it gets the focus. */
export function useTitle(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Before the first paint: later, it could take the focus from a control that was reached in the meantime.
  useLayoutEffect(() => {
    document.title = `${title} · Countersign`
    // Where the part is scrolled to is not for its title to decide.
    heading.current?.focus({ preventScroll: true })
  }, [title])
  return heading
}
