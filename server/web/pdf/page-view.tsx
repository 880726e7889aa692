/** One page of the document: drawn when it comes near, with its fields at their places. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ReaderPage } from './reader.ts'

interface PageViewProps {
  page: ReaderPage
  of: number
  /** CSS pixels for each point. */
  scale: number
  children: ComponentChildren
}

/** Pages are drawn this far before they are seen. */
const NEAR = '800px'

export function PageView({ page, of, scale, children }: PageViewProps) {
  const frame = useRef<HTMLElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  const [problem, setProblem] = useState(false)

  useEffect(() => {
    const watch = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      {
        rootMargin: NEAR,
      },
    )
    watch.observe(frame.current!)
    return () => watch.disconnect()
  }, [])
  useEffect(() => {
    if (!isNear) return
    let isCurrent = true
    page.draw(canvas.current!, text.current!, scale).then(
      () => isCurrent && frame.current?.setAttribute('data-drawn', 'true'),
      () => isCurrent && setProblem(true),
    )
    return () => {
      isCurrent = false
    }
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
      {problem && (
        <p class="problem" role="alert">
          This page cannot be shown. Do not sign; reject the document, or ask its sender for another copy.
        </p>
      )}
      {children}
    </section>
  )
}
