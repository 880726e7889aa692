/** The title of a part of a page: in the window, and first to be heard when the part opens. */
import { useEffect, useRef } from 'preact/hooks'

export function useTitle(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Countersign`
    heading.current?.focus()
  }, [title])
  return heading
}
