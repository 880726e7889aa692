/** The pages of a document one below the other, as wide as there is room for them. */
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { PageView } from './page-view.tsx'
import type { Reader, ReaderPage } from './reader.ts'

interface Fit {
  /** The element for the `Sheets`. */
  room: RefObject<HTMLDivElement | null>
  /** CSS pixels for each point at which the widest page fills the room; 0 until the room has been measured. */
  scale: number
}

/** Fits the pages into their room whenever its width changes; no scale is larger than the given one. */
export function useFit(reader: Reader, maxScale: number): Fit {
  const room = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  // In a layout effect, so that the pages are there, and can be scrolled to, as soon as anything around them can be pressed.
  useLayoutEffect(() => {
    // While something else is printed, the room has no width: it keeps its pages.
    const measure = () => setWidth((before) => Math.floor(room.current!.getBoundingClientRect().width) || before)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(room.current!)
    return () => observer.disconnect()
  }, [])
  const widest = Math.max(...reader.pages.map((page) => page.width))
  return { room, scale: Math.min(width / widest, maxScale) }
}

interface SheetsProps {
  reader: Pick<Reader, 'pages'>
  room: Fit['room']
  scale: number
  onDrawn?(page: ReaderPage): void
  /** Draws what is on a page, such as its fields. */
  children(page: ReaderPage): ComponentChildren
}

export const Sheets = ({ reader, room, scale, onDrawn, children }: SheetsProps) => (
  <div ref={room} class="sheets">
    {scale > 0 &&
      reader.pages.map((page) => (
        <PageView key={page.number} page={page} of={reader.pages.length} scale={scale} {...(onDrawn && { onDrawn })}>
          {children(page)}
        </PageView>
      ))}
  </div>
)
