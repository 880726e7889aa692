/** Dragging with a pointer, told in steps of half a point. */
import { useRef } from 'preact/hooks'

/** Returns the handlers of an element that is dragged; `onStep` gets each step in points, at a scale of pixels per point. */
export function useDrag(scale: number, onStart: () => void, onStep: (dx: number, dy: number) => void) {
  /** Where the steps so far have brought the pointer; null while nothing is dragged. */
  const reached = useRef<{ x: number; y: number } | null>(null)
  /** Whole half points, so that rounding does not swallow a slow drag. */
  const stepsIn = (pixels: number) => Math.trunc((pixels / scale) * 2) / 2
  return {
    onPointerDown: (event: PointerEvent) => {
      event.stopPropagation()
      const element = event.currentTarget as HTMLElement
      element.setPointerCapture(event.pointerId)
      reached.current = { x: event.clientX, y: event.clientY }
      onStart()
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (!reached.current) return
      const { x, y } = reached.current
      const dx = stepsIn(clientX - x)
      const dy = stepsIn(clientY - y)
      if (dx === 0 && dy === 0) return
      reached.current = { x: x + dx * scale, y: y + dy * scale }
      onStep(dx, dy)
    },
    onPointerUp: () => {
      reached.current = null
    },
  }
}
