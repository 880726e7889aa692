/** The pages of a document as pictures to print: one at a time, because a canvas of this size takes 8 MB. */
import type { Reader } from '../../pdf/reader.ts'

const DOTS_PER_INCH = 150
const POINTS_PER_INCH = 72

/** Returns a PNG as a data URL for each page. Rejects when it is aborted. */
export async function picturesOf({ pages }: Reader, signal: AbortSignal): Promise<string[]> {
  const canvas = document.createElement('canvas')
  const scale = DOTS_PER_INCH / POINTS_PER_INCH / (devicePixelRatio || 1)
  const pictures = []
  for (const page of pages) {
    await page.draw(canvas, document.createElement('div'), scale, signal)
    pictures.push(canvas.toDataURL('image/png'))
  }
  return pictures
}
