/** The fields of a node on a sample PDF: first the choice of the sample, then its pages, and the selected field in numbers. */
import { useEffect, useRef } from 'preact/hooks'
import type { Origin } from '../../../lib/contract/task/annotations.ts'
import type { Reader } from '../pdf/reader.ts'
import { useDraftFields } from '../placing/draft-fields.ts'
import { FieldPanel } from '../placing/field-panel.tsx'
import { PlacingPages } from '../placing/placing-pages.tsx'
import { SampleInput, useSample } from '../placing/sample.tsx'
import { useWords } from '../placing/use-words.ts'
import { filled } from '../placing/words.ts'
import { fieldsOf, placedRows, type Row, rowsWith } from './rows.ts'

export interface PlaceFieldsProps {
  /** The rows of the form. Those whose place is no number stay as they are. */
  rows: readonly Row[]
  /** Where the host's coordinates begin. */
  origin: Origin
  onChange(rows: Row[]): void
}

export function PlaceFields(props: PlaceFieldsProps) {
  const words = useWords()
  const placed = placedRows(props.rows)
  const [sample, open] = useSample(Math.max(0, ...placed.map(({ pageNumber }) => Number(pageNumber?.value))))
  const others = props.rows.length - placed.length
  return (
    <main class="place-fields">
      {others > 0 && <p>{filled(words.notShown, { count: others })}</p>}
      {sample ? (
        <OnSample sample={sample} {...props} />
      ) : (
        <SampleInput fieldCount={placed.length} onFile={(file) => void open(file)} />
      )}
    </main>
  )
}

function OnSample({ sample, rows, origin, onChange }: PlaceFieldsProps & { sample: Reader }) {
  const draft = useDraftFields(fieldsOf(rows, sample.pages, origin))
  const { fields, selected } = draft
  const palette = useRef<HTMLFieldSetElement>(null)
  useEffect(() => onChange(rowsWith(rows, fields, sample.pages, origin)), [fields])
  const remove = (key: number) => {
    draft.remove(key)
    // The element that had the focus is gone: without this, the focus would go back to the top of the page.
    palette.current?.querySelector('button')?.focus()
  }
  return (
    <div class="on-sample">
      <PlacingPages reader={sample} draft={draft} palette={palette} onRemove={remove} />
      <aside>
        {selected && (
          <FieldPanel
            key={selected.key}
            field={selected}
            page={sample.pages[selected.page - 1]!}
            onChange={draft.change}
            onRemove={() => remove(selected.key)}
          />
        )}
      </aside>
    </div>
  )
}
