/** The pages of the sample with the fields on them, and the kinds of fields to drag there. */
import type { RefObject } from 'preact'
import { type FieldType, fieldTypes } from '../../../lib/contract/task/field-kinds.ts'
import type { Reader } from '../pdf/reader.ts'
import { Sheets, useFit } from '../pdf/sheets.tsx'
import { freeTop, moved, resized } from './draft-field.ts'
import type { DraftFields } from './draft-fields.ts'
import { PaletteItem } from './palette-item.tsx'
import { PlacedField } from './placed-field.tsx'
import { useWords } from './use-words.ts'

interface PlacingPagesProps {
  reader: Reader
  draft: DraftFields
  palette: RefObject<HTMLFieldSetElement | null>
  onRemove(key: number): void
}

const MAX_SCALE = 1.35
/** Where a field is put that was pressed and not dragged, in points: near the top left of the page in sight. */
const PUT_AT = 72

export function PlacingPages({ reader, draft, palette, onRemove }: PlacingPagesProps) {
  const { fields, selected, select, add, change } = draft
  const words = useWords()
  const { room, scale } = useFit(reader, MAX_SCALE)

  /** Adds a field with its top left at the point of the screen; nothing when there is no page. */
  const drop = (type: FieldType, x: number, y: number) => {
    for (const [index, sheet] of sheetsIn(room.current).entries()) {
      const { left, top, right, bottom } = sheet.getBoundingClientRect()
      if (x < left || x > right || y < top || y > bottom) continue
      return add(type, reader.pages[index]!, (x - left) / scale, (y - top) / scale)
    }
  }

  const press = (type: FieldType) => {
    const page = reader.pages[inSight(room.current)]!
    add(type, page, PUT_AT, freeTop(type, page, fields, PUT_AT, PUT_AT))
  }

  return (
    <div class="editor-pages">
      <fieldset ref={palette} class="palette">
        <legend>{words.drag}</legend>
        {fieldTypes.map((type) => (
          <PaletteItem key={type} type={type} onDrop={drop} onPress={() => press(type)} />
        ))}
      </fieldset>
      <Sheets reader={reader} room={room} scale={scale}>
        {(page) =>
          fields
            .filter((field) => field.page === page.number)
            .map((field) => (
              <PlacedField
                key={field.key}
                field={field}
                scale={scale}
                isSelected={field.key === selected?.key}
                onSelect={() => select(field.key)}
                onMove={(dx, dy) => change({ ...field, box: moved(field.box, dx, dy, page) })}
                onResize={(dx, dy) => change({ ...field, box: resized(field.box, dx, dy, page) })}
                onRemove={() => onRemove(field.key)}
              />
            ))
        }
      </Sheets>
    </div>
  )
}

const sheetsIn = (room: HTMLElement | null): HTMLElement[] => [...(room?.querySelectorAll<HTMLElement>('.sheet') ?? [])]

/** The index of the first page that reaches below the upper third of the window. */
function inSight(room: HTMLElement | null): number {
  const index = sheetsIn(room).findIndex((sheet) => sheet.getBoundingClientRect().bottom > innerHeight / 3)
  return Math.max(index, 0)
}
