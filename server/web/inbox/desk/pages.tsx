/** All pages of the document at the width of the window, or larger when the signer zooms in. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Opened } from '../../../operations/signer/messages.ts'
import { PageView } from '../../pdf/page-view.tsx'
import type { Reader } from '../../pdf/reader.ts'
import { Icon } from '../../shared/icon.tsx'
import type { Draft } from './draft.ts'
import { FieldView } from './field-view.tsx'
import { reachOf } from './reach.ts'
import type { Step } from './steps.ts'

interface PagesProps {
  opened: Opened
  reader: Reader
  draft: Draft
  steps: readonly Step[]
  next: Step | null
  onValue(index: number, value: string | boolean): void
  onSign(): void
  onWrite(index: number): void
}

const ZOOMS = [1, 1.25, 1.5, 2, 3] as const
/** CSS pixels for each point: a page is not made wider than this to fill a large screen. */
const WIDEST_SCALE = 1.45

export function Pages({ opened, reader, draft, steps, next, onValue, onSign, onWrite }: PagesProps) {
  const room = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [zoom, setZoom] = useState(0)
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    watch.observe(room.current!)
    return () => watch.disconnect()
  }, [])
  const widest = Math.max(...reader.pages.map((page) => page.width))
  const scale = Math.min(width / widest, WIDEST_SCALE) * ZOOMS[zoom]!
  return (
    <div class="pages">
      <fieldset class="zoom" aria-label="Size of the pages">
        <button type="button" aria-label="Smaller" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          <Icon name="minus" />
        </button>
        <span aria-live="polite">{Math.round(ZOOMS[zoom]! * 100)}%</span>
        <button
          type="button"
          aria-label="Larger"
          disabled={zoom === ZOOMS.length - 1}
          onClick={() => setZoom(zoom + 1)}
        >
          <Icon name="plus" />
        </button>
      </fieldset>
      <div ref={room} class="sheets">
        {width > 0 &&
          reader.pages.map((page) => (
            <PageView key={page.number} page={page} of={reader.pages.length} scale={scale}>
              {steps
                .filter((step) => step.page === page.number)
                .map(({ index, label, isRequired }) => (
                  <FieldView
                    key={index}
                    field={opened.fields[index]!}
                    index={index}
                    label={`${label}, ${isRequired ? 'required' : 'optional'}, page ${page.number}`}
                    scale={scale}
                    reach={reachOf(opened.fields, index, scale)}
                    value={draft.values[index]}
                    signature={draft.signature}
                    signingName={opened.signingName}
                    isNext={next?.index === index}
                    onValue={(value) => onValue(index, value)}
                    onSign={onSign}
                    onWrite={() => onWrite(index)}
                  />
                ))}
            </PageView>
          ))}
      </div>
    </div>
  )
}
