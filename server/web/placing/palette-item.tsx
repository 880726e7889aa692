/** A kind of field in the palette: dragged onto a page, or pressed. */
import { useRef, useState } from 'preact/hooks'
import type { FieldType } from '../../../lib/contract/task/field-kinds.ts'
import { useWords } from './use-words.ts'

interface PaletteItemProps {
  type: FieldType
  /** Where on the screen it was let go, in CSS pixels. */
  onDrop(type: FieldType, x: number, y: number): void
  onPress(): void
}

/** A press becomes a drag when the pointer has moved further than this. */
const STILL_PX = 5

export function PaletteItem({ type, onDrop, onPress }: PaletteItemProps) {
  const name = useWords()[type]
  const start = useRef<{ x: number; y: number } | null>(null)
  const [ghost, setGhost] = useState<{ x: number; y: number } | null>(null)
  const isDrag = ({ clientX, clientY }: PointerEvent) =>
    start.current !== null && Math.hypot(clientX - start.current.x, clientY - start.current.y) > STILL_PX
  const end = () => {
    start.current = null
    setGhost(null)
  }
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
          end()
        }}
        onPointerCancel={end}
        // A click without a pointer comes from the keyboard or a screen reader.
        onClick={(event) => event.detail === 0 && onPress()}
      >
        {name}
      </button>
      {ghost && (
        <span class="ghost" aria-hidden="true" style={{ left: `${ghost.x}px`, top: `${ghost.y}px` }}>
          {name}
        </span>
      )}
    </>
  )
}
