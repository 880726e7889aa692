/** A field on a page of the sample: moved and resized with a pointer or with the arrow keys. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { boxStyle } from '../pdf/box-style.ts'
import type { DraftField } from './draft-field.ts'
import { useDrag } from './drag.ts'
import { useWords } from './use-words.ts'
import { filled } from './words.ts'

interface PlacedFieldProps {
  field: DraftField
  /** CSS pixels for each point. */
  scale: number
  isSelected: boolean
  onSelect(): void
  /** To the right and down, in points. */
  onMove(dx: number, dy: number): void
  /** Wider and higher, in points. */
  onResize(dx: number, dy: number): void
  onRemove(): void
}

export function PlacedField({ field, scale, isSelected, onSelect, onMove, onResize, onRemove }: PlacedFieldProps) {
  const words = useWords()
  const { left, top } = field.box
  const name = words[field.type]
  const button = useRef<HTMLButtonElement>(null)
  const moving = useDrag(scale, onSelect, onMove)
  const resizing = useDrag(scale, onSelect, onResize)
  // A field that has just been added is selected: with the focus on it, the arrow keys place it at once.
  useLayoutEffect(() => {
    if (isSelected) button.current?.focus()
  }, [])
  const press = (event: KeyboardEvent) => {
    const arrow = arrows[event.key]
    if (event.key === 'Delete' || event.key === 'Backspace') onRemove()
    else if (arrow) {
      const step = event.shiftKey ? 10 : 1
      const change = event.altKey ? onResize : onMove
      change(arrow.x * step, arrow.y * step)
    } else return
    event.preventDefault()
  }
  return (
    <div class={`placed ${isSelected ? 'selected' : ''}`} style={boxStyle(field.box, scale)}>
      <button
        ref={button}
        type="button"
        aria-label={filled(words.field, { name, page: field.page, left, top })}
        aria-pressed={isSelected}
        onFocus={onSelect}
        onKeyDown={press}
        {...moving}
      >
        <span aria-hidden="true">{name}</span>
      </button>
      <span class="grip" {...resizing} />
    </div>
  )
}

const arrows: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}
