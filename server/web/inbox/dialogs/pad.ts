/** A pad to draw a signature on. The picture is cut to the ink, so that it fills its field. */
import SignaturePad from 'signature_pad'

export interface Pad {
  /** Returns the signature as a PNG in Base64. */
  png(): string
  clear(): void
  close(): void
}

/** The colour in which the service stamps. */
const INK = 'rgb(13, 26, 77)'
/** Pixels around the ink. */
const MARGIN = 6
/** Pixels of the canvas for each CSS pixel, at most: fine enough for print, and no more than the field needs. */
const MAX_RATIO = 3

/** Tells whether the pad is empty after each stroke, and when it is cleared. */
export function createPad(canvas: HTMLCanvasElement, onEmpty: (isEmpty: boolean) => void): Pad {
  const pad = new SignaturePad(canvas, { penColor: INK, minWidth: 0.8, maxWidth: 2.6 })
  const resize = () => {
    const ratio = Math.min(Math.max(devicePixelRatio || 1, 2), MAX_RATIO)
    const width = Math.round(canvas.offsetWidth * ratio)
    const height = Math.round(canvas.offsetHeight * ratio)
    // Resizing ends the stroke under way, so nothing may happen when the size is the same as before.
    if (canvas.width === width && canvas.height === height) return
    const strokes = pad.toData()
    canvas.width = width
    canvas.height = height
    canvas.getContext('2d')?.scale(ratio, ratio)
    pad.fromData(strokes)
  }
  const changed = () => onEmpty(pad.isEmpty())
  pad.addEventListener('endStroke', changed)
  resize()
  const observer = new ResizeObserver(resize)
  observer.observe(canvas)
  return {
    png: () => inkOf(canvas).toDataURL('image/png').split(',')[1]!,
    clear() {
      pad.clear()
      changed()
    },
    close() {
      pad.off()
      observer.disconnect()
    },
  }
}

/** Returns a new canvas with the part that has ink. */
function inkOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const { width, height } = canvas
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height)
  let left = width
  let top = height
  let right = 0
  let bottom = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (data[(y * width + x) * 4 + 3]! > 0) {
        left = Math.min(left, x)
        right = Math.max(right, x)
        top = Math.min(top, y)
        bottom = Math.max(bottom, y)
      }
  const cut = document.createElement('canvas')
  cut.width = right - left + 1 + 2 * MARGIN
  cut.height = bottom - top + 1 + 2 * MARGIN
  cut.getContext('2d')!.drawImage(canvas, MARGIN - left, MARGIN - top)
  return cut
}
