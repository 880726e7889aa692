/** A pad to draw a signature on. What it gives is cut to the ink, so that it fills its field. */
import SignaturePad from 'signature_pad'

export interface Pad {
  /** PNG as Base64. */
  png(): string
  clear(): void
  close(): void
}

/** The colour that the service stamps with. */
const INK = 'rgb(13, 26, 77)'
/** Pixels around the ink. */
const MARGIN = 6
/** Fine enough for print, and no more than the field needs. */
const MAX_RATIO = 3

export function createPad(canvas: HTMLCanvasElement, onEmpty: (isEmpty: boolean) => void): Pad {
  const pad = new SignaturePad(canvas, { penColor: INK, minWidth: 0.8, maxWidth: 2.6 })
  const resize = () => {
    const ratio = Math.min(Math.max(devicePixelRatio || 1, 2), MAX_RATIO)
    const [width, height] = [Math.round(canvas.offsetWidth * ratio), Math.round(canvas.offsetHeight * ratio)]
    // To resize takes away the stroke under way, so an observation without a change must not.
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
  const watch = new ResizeObserver(resize)
  watch.observe(canvas)
  return {
    png: () => inkOf(canvas).toDataURL('image/png').split(',')[1]!,
    clear() {
      pad.clear()
      changed()
    },
    close() {
      pad.off()
      watch.disconnect()
    },
  }
}

/** The part of the canvas that has ink, on a canvas of its own. */
function inkOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const { width, height } = canvas
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height)
  let [left, top, right, bottom] = [width, height, 0, 0]
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
