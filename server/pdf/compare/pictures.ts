/**
 * Pictures of the pages of documents, drawn by a viewer that nothing else here is built on (PDFium), so that they show what people
 * see elsewhere.
 */
import type { PDFiumLibrary } from '@hyzyla/pdfium'
import { viewDocument } from './viewed-document.ts'
import { endViewer, startViewer, withViewer } from './viewer.ts'

export interface Picture {
  /** In pixels. */
  width: number
  height: number
  /** Red, green, blue and alpha of each pixel, row by row from the top left. */
  data: Uint8Array
}

/** A picture is there until the next one of the same document is drawn. */
export interface Pictures {
  pageCount: number
  /**
   * @param page from 1
   * @param scale pixels to a point
   */
  ofPage(page: number, scale: number): Promise<Picture>
  /** The same without colours, one pixel to a point. */
  grayOfPage(page: number): Promise<GrayPicture>
}

export interface GrayPicture {
  /** In pixels. */
  width: number
  height: number
  /** The brightness of each pixel, row by row from the top left. */
  data: Uint8Array
}

/**
 * Opens the documents, in the order given, for as long as `use` takes. Throws when the viewer cannot open one of them, or cannot
 * draw a page.
 */
export async function withPictures<T>(
  pdfs: readonly Uint8Array[],
  use: (documents: readonly Pictures[]) => Promise<T>,
): Promise<T> {
  const [first, ...others] = pdfs
  if (!first) return use([])
  return withPicturesOf(first, (pictures) => withPictures(others, (more) => use([pictures, ...more])))
}

function withPicturesOf<T>(pdf: Uint8Array, use: (pictures: Pictures) => Promise<T>): Promise<T> {
  return withViewer(({ pdfium }) => {
    const { pageCount, draw } = viewDocument(pdfium, pdf)
    return use({
      pageCount,
      ofPage: async (page, scale) => draw(page - 1, scale, 'color'),
      grayOfPage: async (page) => draw(page - 1, 1, 'gray'),
    })
  })
}

/** A viewer that only opens documents, which leaves nothing in it that the next one could meet. */
let opener: { viewer: PDFiumLibrary; uses: number } | undefined
/** A viewer that has opened this many documents is replaced, so that what they left behind does not pile up. */
const USES = 100

/** How many pages the viewer finds; null when it cannot open the document. */
export async function pageCountInViewer(pdf: Uint8Array): Promise<number | null> {
  opener ??= { viewer: (await startViewer()).library, uses: 0 }
  const { viewer } = opener
  try {
    const document = await viewer.loadDocument(pdf)
    const count = document.getPageCount()
    document.destroy()
    if (++opener.uses >= USES) retire()
    return count
  } catch {
    retire()
    return null
  }
}

function retire(): void {
  if (opener) endViewer(opener.viewer)
  opener = undefined
}
