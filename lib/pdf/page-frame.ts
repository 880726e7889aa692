/** Reads the frame of a page from its dictionaries, and repairs what is missing there. Never reads content. */
import type { PDFDocument, PDFPage } from 'pdf-lib'
import type { PageFrame, Rectangle } from './geometry.ts'

const LETTER: Rectangle = { x0: 0, y0: 0, x1: 612, y1: 792 }

/** The frame of one page. A page without a usable media box is taken as Letter, as viewers do. */
export function pageFrame(page: PDFPage): PageFrame {
  const media = present(read(() => sorted(page.getMediaBox()))) ?? LETTER
  const crop = read(() => sorted(page.getCropBox())) ?? media
  const visible = present(meet(media, crop)) ?? media
  const angle = read(() => page.getRotation().angle) ?? 0
  const quarter = (((Math.round(angle / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3
  const width = visible.x1 - visible.x0
  const height = visible.y1 - visible.y0
  return {
    ...visible,
    rotate: ([0, 90, 180, 270] as const)[quarter],
    width: quarter % 2 ? height : width,
    height: quarter % 2 ? width : height,
  }
}

/** The frames of all pages, in order. */
export const pageFrames = (doc: PDFDocument): PageFrame[] => doc.getPages().map(pageFrame)

function sorted({ x, y, width, height }: { x: number; y: number; width: number; height: number }): Rectangle {
  return {
    x0: Math.min(x, x + width),
    y0: Math.min(y, y + height),
    x1: Math.max(x, x + width),
    y1: Math.max(y, y + height),
  }
}

const meet = (a: Rectangle, b: Rectangle): Rectangle => ({
  x0: Math.max(a.x0, b.x0),
  y0: Math.max(a.y0, b.y0),
  x1: Math.min(a.x1, b.x1),
  y1: Math.min(a.y1, b.y1),
})

const present = (r: Rectangle | null): Rectangle | null => (r && r.x1 > r.x0 && r.y1 > r.y0 ? r : null)

/** The library throws where an entry is missing or malformed; such a page is still shown by viewers. */
function read<T>(entry: () => T): T | null {
  try {
    return entry()
  } catch {
    return null
  }
}
