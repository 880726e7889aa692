/** All pages of the document, as wide as the window lets them be, or larger when the signer zooms in. */
import { useState } from 'preact/hooks'
import { isDrawn } from '../../../../lib/pdf/prepare/preparation.ts'
import type { Opened } from '../../../operations/signer/messages.ts'
import type { Reader } from '../../pdf/reader.ts'
import { Sheets, useFit } from '../../pdf/sheets.tsx'
import { Icon } from '../../shared/icon.tsx'
import { t } from '../../words/words.ts'
import type { Draft, FieldValue } from './draft.ts'
import { EndSignature } from './end-signature.tsx'
import { FieldView } from './field-view.tsx'
import type { Step } from './guide/steps.ts'
import type { Look } from './ink/look.ts'
import type { InkPreview } from './ink/preview.ts'
import { reachOf } from './reach.ts'

interface PagesProps {
  opened: Opened
  reader: Reader
  /** Takes the place of the pages that bear ink. */
  preview: InkPreview | null
  look: Look
  draft: Draft
  steps: readonly Step[]
  next: Step | null
  onValue(index: number, value: FieldValue): void
  onSign(): void
  onWrite(index: number): void
}

/** CSS pixels for each point, without zoom: a page is not made wider than this to fill a large screen. */
const MAX_SCALE = 1.45
/** The text for screen readers: the text of the file as received may differ from the picture of its pages. */
const NO_TEXT = t('desk.pagePicture')
const ZOOMS = [1, 1.25, 1.5, 2, 3] as const

export function Pages({ opened, reader, preview, look, draft, steps, next, onValue, onSign, onWrite }: PagesProps) {
  const [zoom, setZoom] = useState(0)
  const fit = useFit(reader, MAX_SCALE)
  const scale = fit.scale * ZOOMS[zoom]!
  const pages = reader.pages.map((page) => preview?.pages.get(page.number) ?? page)
  const atEnd = steps.find(({ page }) => page === null)
  return (
    <div class="pages">
      <Zoom zoom={zoom} onZoom={setZoom} />
      <Sheets
        reader={{ pages }}
        room={fit.room}
        scale={scale}
        onDrawn={(page) => {
          if (preview?.pages.get(page.number) === page) look.onDrawn(page.number, preview)
        }}
      >
        {({ number }) => (
          <>
            {isDrawn(opened.preparations) && <p class="visually-hidden">{NO_TEXT}</p>}
            {steps
              .filter(({ page }) => page === number)
              .map(({ index, label, isRequired }) => (
                <FieldView
                  key={index}
                  field={opened.fields[index]!}
                  index={index}
                  label={t(isRequired ? 'desk.onPageRequired' : 'desk.onPageOptional', { label, page: number })}
                  scale={scale}
                  reach={reachOf(opened.fields, index, scale)}
                  value={draft.values[index]}
                  isSigned={draft.signature !== null}
                  signingName={opened.signingName}
                  isNext={next?.index === index}
                  isInked={look.isInked(index)}
                  isCrowded={preview?.crowded.has(index) ?? false}
                  onSight={(isInSight) => look.onSight(index, isInSight)}
                  onValue={(value) => onValue(index, value)}
                  onSign={onSign}
                  onWrite={() => onWrite(index)}
                />
              ))}
          </>
        )}
      </Sheets>
      {atEnd && (
        <EndSignature
          step={atEnd}
          signature={draft.signature}
          signingName={opened.signingName}
          isNext={next?.index === atEnd.index}
          onSign={onSign}
        />
      )}
    </div>
  )
}

/** The buttons that change the size; `zoom` is an index into `ZOOMS`. */
const Zoom = ({ zoom, onZoom }: { zoom: number; onZoom(zoom: number): void }) => (
  <fieldset class="zoom" aria-label={t('desk.size')}>
    <button type="button" aria-label={t('desk.smaller')} disabled={zoom === 0} onClick={() => onZoom(zoom - 1)}>
      <Icon name="minus" />
    </button>
    <span aria-live="polite">{Math.round(ZOOMS[zoom]! * 100)}%</span>
    <button
      type="button"
      aria-label={t('desk.larger')}
      disabled={zoom === ZOOMS.length - 1}
      onClick={() => onZoom(zoom + 1)}
    >
      <Icon name="plus" />
    </button>
  </fieldset>
)
