/** A kind of field in the palette: dragged onto a page, or pressed. */
import { useRef, useState } from 'preact/hooks'
import { type FieldType, fieldKinds } from '../../../../lib/contract/task/field-kinds.ts'

interface PaletteItemProps {
  type: FieldType
  onDrop(type: FieldType, x: number, y: number): void
  onPress(): void
}

/** Pixels the pointer may wander before a press becomes a drag. */
const STILL_PX = 5

export function PaletteItem({ type, onDrop, onPress }: PaletteItemProps) {
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
        {fieldKinds[type].name}
      </button>
      {ghost && (
        <span class="ghost" aria-hidden="true" style={{ left: `${ghost.x}px`, top: `${ghost.y}px` }}>
          {fieldKinds[type].name}
        </span>
      )}
    </>
  )
}
