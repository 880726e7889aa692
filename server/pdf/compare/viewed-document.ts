/**
 * A document in a viewer, by the interface of PDFium itself. The package around it hands out a copy of each picture: megabytes that
 * are given back late, and then hold everything up. Here pictures are looked at where they are drawn.
 */
import type { Picture } from './pictures.ts'

/** Those of its functions that are used. Documents, pages and pictures are places in its memory; 0 is none. */
export interface Pdfium {
  memory: WebAssembly.Memory
  malloc(bytes: number): number
  free(place: number): void
  FPDF_LoadMemDocument(place: number, bytes: number, password: number): number
  FPDF_CloseDocument(document: number): void
  FPDF_GetPageCount(document: number): number
  FPDF_LoadPage(document: number, index: number): number
  FPDF_ClosePage(page: number): void
  FPDF_GetPageWidth(page: number): number
  FPDF_GetPageHeight(page: number): number
  FPDFDOC_InitFormFillEnvironment(document: number, callbacks: number): number
  FORM_OnAfterLoadPage(page: number, form: number): void
  FORM_OnBeforeClosePage(page: number, form: number): void
  FPDFBitmap_CreateEx(width: number, height: number, format: number, place: number, stride: number): number
  FPDFBitmap_Destroy(bitmap: number): void
  FPDFBitmap_FillRect(bitmap: number, x: number, y: number, width: number, height: number, color: number): void
  FPDF_RenderPageBitmap(bitmap: number, page: number, ...area: Area): void
  FPDF_FFLDraw(form: number, bitmap: number, page: number, ...area: Area): void
}

type Area = [x: number, y: number, width: number, height: number, turns: number, flags: number]

/** How many bytes a pixel has is also the number of the format. */
const FORMATS = { color: 4, gray: 1 } as const
const WHITE = 0xffffffff
const FLAGS = { annotations: 0x01, textForScreens: 0x02, gray: 0x08, redFirst: 0x10 } as const
/** More than the table of callbacks needs, of which there are none; it begins with its version. */
const CALLBACKS_BYTES = 256
const CALLBACKS_VERSION = 2

export interface ViewedDocument {
  pageCount: number
  /**
   * @param index from 0
   * @param scale pixels to a point
   * @returns a picture that is there until the next one is drawn
   */
  draw(index: number, scale: number, format: keyof typeof FORMATS): Picture
}

/**
 * Nothing has to be closed, because the memory of the viewer is given back as a whole. Throws when the document cannot be opened.
 */
export function viewDocument(pdfium: Pdfium, pdf: Uint8Array): ViewedDocument {
  const place = allocated(pdfium, pdf.length)
  new Uint8Array(pdfium.memory.buffer).set(pdf, place)
  const document = pdfium.FPDF_LoadMemDocument(place, pdf.length, 0)
  if (!document) throw new Error('The viewer cannot open the document')
  let form: number | undefined
  let drawn: number | undefined

  return {
    pageCount: pdfium.FPDF_GetPageCount(document),
    draw(index, scale, format) {
      if (drawn !== undefined) pdfium.free(drawn)
      const page = pdfium.FPDF_LoadPage(document, index)
      if (!page) throw new Error('The viewer cannot open a page')
      const width = Math.floor(Math.floor(pdfium.FPDF_GetPageWidth(page)) * scale)
      const height = Math.floor(Math.floor(pdfium.FPDF_GetPageHeight(page)) * scale)
      const size = FORMATS[format]
      drawn = allocated(pdfium, width * height * size)
      const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, size, drawn, width * size)
      if (!bitmap) throw new Error('The viewer cannot draw a page')
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
      const flags = FLAGS.textForScreens | (format === 'gray' ? FLAGS.gray : FLAGS.redFirst)
      if (format === 'color') {
        form ??= openForm(pdfium, document)
        pdfium.FORM_OnAfterLoadPage(page, form)
      }
      pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags | FLAGS.annotations)
      if (format === 'color') {
        pdfium.FPDF_FFLDraw(form!, bitmap, page, 0, 0, width, height, 0, flags)
        pdfium.FORM_OnBeforeClosePage(page, form!)
      }
      pdfium.FPDFBitmap_Destroy(bitmap)
      pdfium.FPDF_ClosePage(page)
      return { width, height, data: new Uint8Array(pdfium.memory.buffer, drawn, width * height * size) }
    },
  }
}

function openForm(pdfium: Pdfium, document: number): number {
  const callbacks = allocated(pdfium, CALLBACKS_BYTES)
  const table = new DataView(pdfium.memory.buffer, callbacks, CALLBACKS_BYTES)
  new Uint8Array(pdfium.memory.buffer).fill(0, callbacks, callbacks + CALLBACKS_BYTES)
  table.setUint32(0, CALLBACKS_VERSION, true)
  const form = pdfium.FPDFDOC_InitFormFillEnvironment(document, callbacks)
  if (!form) throw new Error('The viewer cannot show the forms of the document')
  return form
}

function allocated(pdfium: Pdfium, bytes: number): number {
  const place = pdfium.malloc(bytes)
  if (!place) throw new Error('The viewer has no memory left')
  return place
}
