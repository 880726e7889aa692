/** A field on a page of the sample: moved and resized with a pointer or with the arrow keys. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { fieldKinds } from '../../../../lib/contract/task/field-kinds.ts'
import type { DraftField } from './placing.ts'

const KEYS = 'Arrow keys move it, with Alt they resize it, with Shift by 10. Delete removes it.'
const arrows: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
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

export function PlacedField({ field, scale, isSelected, onSelect, onMove, onResize, onRemove }: PlacedFieldProps) {
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
  const button = useRef<HTMLButtonElement>(null)
  // A field that was added just now is the chosen one: the arrow keys place it without a search for it.
  useLayoutEffect(() => {
    if (isSelected) button.current?.focus()
  }, [])
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
        ref={button}
        type="button"
        aria-label={`${fieldKinds[field.type].name}, page ${field.page}, ${left} from the left, ${top} from the top. ${KEYS}`}
        aria-pressed={isSelected}
        onFocus={onSelect}
        onKeyDown={press}
        {...follow(onMove)}
      >
        <span aria-hidden="true">{fieldKinds[field.type].name}</span>
      </button>
      <span class="grip" {...follow(onResize)} />
    </div>
  )
}
