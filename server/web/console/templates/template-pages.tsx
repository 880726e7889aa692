/** The pages of the sample with the fields on them, and the kinds of fields to drag there. */
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type FieldType, fieldTypes } from '../../../../lib/contract/task/field-kinds.ts'
import { PageView } from '../../pdf/page-view.tsx'
import type { Reader } from '../../pdf/reader.ts'
import { PaletteItem } from './palette-item.tsx'
import { PlacedField } from './placed-field.tsx'
import { type DraftField, moved, resized } from './placing.ts'

interface TemplatePagesProps {
  palette: RefObject<HTMLFieldSetElement | null>
  reader: Reader
  fields: readonly DraftField[]
  selected: number | null
  onSelect(key: number): void
  onChange(field: DraftField): void
  onRemove(key: number): void
  /** Points on the page. */
  onAdd(type: FieldType, page: number, left: number, top: number): void
}

const WIDEST_SCALE = 1.35
/** Where a field is put that was not dragged: near the top of the first page in sight. */
const PUT_AT = 72

export function TemplatePages(props: TemplatePagesProps) {
  const { palette, reader, fields, selected, onSelect, onChange, onRemove, onAdd } = props
  const room = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    watch.observe(room.current!)
    return () => watch.disconnect()
  }, [])
  const scale = Math.min(width / Math.max(...reader.pages.map((page) => page.width)), WIDEST_SCALE)

  /** Onto the page under the pointer, its top left there; nothing when it is let go elsewhere. */
  const drop = (type: FieldType, x: number, y: number) => {
    for (const sheet of room.current?.querySelectorAll('.sheet') ?? []) {
      const { left, top, right, bottom } = sheet.getBoundingClientRect()
      if (x < left || x > right || y < top || y > bottom) continue
      return onAdd(type, Number((sheet as HTMLElement).dataset.page), (x - left) / scale, (y - top) / scale)
    }
  }

  return (
    <div class="editor-pages">
      <fieldset ref={palette} class="palette">
        <legend>Drag onto a page, or press</legend>
        {fieldTypes.map((type) => (
          <PaletteItem
            key={type}
            type={type}
            onDrop={drop}
            onPress={() => onAdd(type, pageInSight(room.current), PUT_AT, PUT_AT)}
          />
        ))}
      </fieldset>
      <div ref={room} class="sheets">
        {width > 0 &&
          reader.pages.map((page) => (
            <PageView key={page.number} page={page} of={reader.pages.length} scale={scale}>
              {fields
                .filter((field) => field.page === page.number)
                .map((field) => (
                  <PlacedField
                    key={field.key}
                    field={field}
                    scale={scale}
                    isSelected={field.key === selected}
                    onSelect={() => onSelect(field.key)}
                    onMove={(dx, dy) => onChange({ ...field, box: moved(field.box, dx, dy, page) })}
                    onResize={(dx, dy) => onChange({ ...field, box: resized(field.box, dx, dy, page) })}
                    onRemove={() => onRemove(field.key)}
                  />
                ))}
            </PageView>
          ))}
      </div>
    </div>
  )
}

function pageInSight(room: HTMLElement | null): number {
  const sheets = [...(room?.querySelectorAll<HTMLElement>('.sheet') ?? [])]
  const seen = sheets.find((sheet) => sheet.getBoundingClientRect().bottom > innerHeight / 3)
  return Number(seen?.dataset.page ?? 1)
}
