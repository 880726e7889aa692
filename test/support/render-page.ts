/** Renders pages with PDFium, a reader that the project itself does not use: what it shows is what people see. */
import { PDFiumLibrary } from '@hyzyla/pdfium'

export interface Picture {
  /** Pixels; SCALE of them to a point. */
  width: number
  height: number
  /** Is anything but white inside this box of the displayed page, in points? */
  inkIn(box: { left: number; top: number; right: number; bottom: number }): number
  /** Share of dark pixels that the whole page has, 0 to 1. */
  ink: number
  /** The smallest box around all ink that the other picture does not have, in points; null when there is none. */
  changesFrom(other: Picture): { left: number; top: number; right: number; bottom: number } | null
  /** Red, green, blue of the pixel at a point. */
  colorAt(x: number, y: number): [number, number, number]
}

const SCALE = 2

/** @param page from 1 */
export async function renderPage(pdf: Uint8Array, page: number): Promise<Picture> {
  const library = await PDFiumLibrary.init()
  try {
    const doc = await library.loadDocument(pdf)
    const { width, height, data } = await doc
      .getPage(page - 1)
      .render({ scale: SCALE, render: async ({ data }) => Uint8Array.from(data) })
    doc.destroy()
    return picture(width, height, data)
  } finally {
    library.destroy()
  }
}

const pixels = new WeakMap<Picture, Uint8Array>()

/** @param data red, green, blue, alpha for each pixel. */
function picture(width: number, height: number, data: Uint8Array): Picture {
  const isInk = (x: number, y: number) => {
    const at = 4 * (y * width + x)
    return data[at]! + data[at + 1]! + data[at + 2]! < 3 * 235
  }
  const count = (x0: number, y0: number, x1: number, y1: number) => {
    let ink = 0
    for (let y = Math.max(0, y0); y < Math.min(height, y1); y++) {
      for (let x = Math.max(0, x0); x < Math.min(width, x1); x++) if (isInk(x, y)) ink++
    }
    return ink
  }
  const result: Picture = {
    width,
    height,
    inkIn: ({ left, top, right, bottom }) =>
      count(Math.round(left * SCALE), Math.round(top * SCALE), Math.round(right * SCALE), Math.round(bottom * SCALE)),
    ink: count(0, 0, width, height) / (width * height),
    changesFrom: (other) => {
      const before = pixels.get(other)!
      const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const at = 4 * (y * width + x)
          const difference =
            Math.abs(data[at]! - before[at]!) +
            Math.abs(data[at + 1]! - before[at + 1]!) +
            Math.abs(data[at + 2]! - before[at + 2]!)
          if (difference < 60) continue
          box.left = Math.min(box.left, x / SCALE)
          box.top = Math.min(box.top, y / SCALE)
          box.right = Math.max(box.right, (x + 1) / SCALE)
          box.bottom = Math.max(box.bottom, (y + 1) / SCALE)
        }
      }
      return box.right < 0 ? null : box
    },
    colorAt: (x, y) => {
      const at = 4 * (Math.round(y * SCALE) * width + Math.round(x * SCALE))
      return [data[at]!, data[at + 1]!, data[at + 2]!]
    },
  }
  pixels.set(result, data)
  return result
}
