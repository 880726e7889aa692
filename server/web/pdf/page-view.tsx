/** One page of a document, drawn when it comes near, with what is on it. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import type { ReaderPage } from './reader.ts'

interface PageViewProps {
  page: ReaderPage
  /** How many pages there are. */
  of: number
  /** CSS pixels for each point. */
  scale: number
  /** Called whenever the page has been drawn. */
  onDrawn?(page: ReaderPage): void
  children: ComponentChildren
}

/** A page is drawn when it is this close to being seen. */
const NEAR = '800px'

export function PageView({ page, of, scale, onDrawn, children }: PageViewProps) {
  const frame = useRef<HTMLElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  const [hasFailed, setFailed] = useState(false)

  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      {
        rootMargin: NEAR,
      },
    )
    observer.observe(frame.current!)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (!isNear) return
    const outdated = new AbortController()
    setFailed(false)
    page.draw(canvas.current!, text.current!, scale, outdated.signal).then(
      () => {
        if (outdated.signal.aborted) return
        frame.current?.setAttribute('data-drawn', 'true')
        onDrawn?.(page)
      },
      () => outdated.signal.aborted || setFailed(true),
    )
    return () => outdated.abort()
  }, [isNear, page, scale])

  return (
    <section
      ref={frame}
      class="sheet"
      data-page={page.number}
      aria-label={`Page ${page.number} of ${of}`}
      style={{ width: `${page.width * scale}px`, height: `${page.height * scale}px` }}
    >
      <canvas ref={canvas} />
      <div ref={text} class="textLayer" />
      {hasFailed && (
        <p class="problem" role="alert">
          {t('pdf.unshown')}
        </p>
      )}
      {children}
    </section>
  )
}
