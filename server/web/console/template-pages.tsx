/** The pages of the sample with the fields on them, and the kinds of fields to drag there. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FieldType } from '../../../lib/contract/document.ts'
import { PageView } from '../pdf/page-view.tsx'
import type { Reader } from '../pdf/reader.ts'
import { fieldNames } from './field-names.ts'
import { type DraftField, moved, resized } from './placing.ts'

interface TemplatePagesProps {
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

export function TemplatePages({ reader, fields, selected, onSelect, onChange, onRemove, onAdd }: TemplatePagesProps) {
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
      <fieldset class="palette">
        <legend>Drag onto a page, or press</legend>
        {(Object.keys(fieldNames) as FieldType[]).map((type) => (
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

interface PaletteItemProps {
  type: FieldType
  onDrop(type: FieldType, x: number, y: number): void
  onPress(): void
}

/** Pixels the pointer may wander before a press becomes a drag. */
const STILL_PX = 5

function PaletteItem({ type, onDrop, onPress }: PaletteItemProps) {
  const start = useRef<{ x: number; y: number } | null>(null)
  const [ghost, setGhost] = useState<{ x: number; y: number } | null>(null)
  const isDrag = (event: PointerEvent) =>
    start.current !== null && Math.hypot(event.clientX - start.current.x, event.clientY - start.current.y) > STILL_PX
  return (
    <>
      <button
        type="button"
        class={type}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          start.current = { x: event.clientX, y: event.clientY }
        }}
        onPointerMove={(event) => isDrag(event) && setGhost({ x: event.clientX, y: event.clientY })}
        onPointerUp={(event) => {
          if (isDrag(event)) onDrop(type, event.clientX, event.clientY)
          else onPress()
          start.current = null
          setGhost(null)
        }}
        onPointerCancel={() => {
          start.current = null
          setGhost(null)
        }}
        // A click without a pointer: from the keyboard, or from a reader.
        onClick={(event) => event.detail === 0 && onPress()}
      >
        {fieldNames[type]}
      </button>
      {ghost && (
        <span class="ghost" aria-hidden="true" style={{ left: `${ghost.x}px`, top: `${ghost.y}px` }}>
          {fieldNames[type]}
        </span>
      )}
    </>
  )
}

interface PlacedFieldProps {
  field: DraftField
  scale: number
  isSelected: boolean
  onSelect(): void
  /** Points. */
  onMove(dx: number, dy: number): void
  onResize(dx: number, dy: number): void
  onRemove(): void
}

function PlacedField({ field, scale, isSelected, onSelect, onMove, onResize, onRemove }: PlacedFieldProps) {
  const { left, top, right, bottom } = field.box
  /** Where the pointer was at the last step; a drag is the sum of its steps. */
  const last = useRef<{ x: number; y: number } | null>(null)
  const follow = (act: (dx: number, dy: number) => void) => ({
    onPointerDown: (event: PointerEvent) => {
      event.stopPropagation()
      ;(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)
      last.current = { x: event.clientX, y: event.clientY }
      onSelect()
    },
    onPointerMove: (event: PointerEvent) => {
      if (!last.current) return
      // Whole half points at a time, so that rounding never eats a slow drag.
      const steps = (pixels: number) => Math.trunc((pixels / scale) * 2) / 2
      const [dx, dy] = [steps(event.clientX - last.current.x), steps(event.clientY - last.current.y)]
      if (dx === 0 && dy === 0) return
      last.current = { x: last.current.x + dx * scale, y: last.current.y + dy * scale }
      act(dx, dy)
    },
    onPointerUp: () => {
      last.current = null
    },
  })
  const arrows: Record<string, [number, number]> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  }
  const press = (event: KeyboardEvent) => {
    const arrow = arrows[event.key]
    if (event.key === 'Delete' || event.key === 'Backspace') onRemove()
    else if (arrow)
      (event.altKey ? onResize : onMove)(...(arrow.map((step) => step * (event.shiftKey ? 10 : 1)) as [number, number]))
    else return
    event.preventDefault()
  }
  return (
    <div
      class={`placed ${isSelected ? 'selected' : ''}`}
      style={{
        left: `${left * scale}px`,
        top: `${top * scale}px`,
        width: `${(right - left) * scale}px`,
        height: `${(bottom - top) * scale}px`,
      }}
    >
      <button
        type="button"
        aria-label={`${fieldNames[field.type]}, page ${field.page}. Arrow keys move it, with Alt they resize it, Delete removes it.`}
        aria-pressed={isSelected}
        onFocus={onSelect}
        onKeyDown={press}
        {...follow(onMove)}
      >
        <span aria-hidden="true">{fieldNames[field.type]}</span>
      </button>
      <span class="grip" {...follow(onResize)} />
    </div>
  )
}
