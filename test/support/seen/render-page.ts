/** Renders pages with PDFium, a reader that the project itself does not use: what it shows is what people see. */
import { PDFiumLibrary } from '@hyzyla/pdfium'

export interface Edges {
  left: number
  top: number
  right: number
  bottom: number
}

/** Places are in points on the displayed page. */
export interface Picture {
  /** The smallest box around all that is not white, in the region or on the whole page; null when there is nothing. */
  inkBox(region?: Edges): Edges | null
  /** Red, green, blue. */
  colorAt(x: number, y: number): [number, number, number]
}

/** Pixels to a point. */
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

/** @param data red, green, blue, alpha for each pixel. */
function picture(width: number, height: number, data: Uint8Array): Picture {
  const isInk = (at: number) => data[at]! + data[at + 1]! + data[at + 2]! < 3 * 235
  return {
    inkBox: (region = { left: 0, top: 0, right: width, bottom: height }) => {
      const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
      for (let y = Math.max(0, Math.round(region.top * SCALE)); y < Math.min(height, region.bottom * SCALE); y++) {
        for (let x = Math.max(0, Math.round(region.left * SCALE)); x < Math.min(width, region.right * SCALE); x++) {
          if (!isInk(4 * (y * width + x))) continue
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
}
