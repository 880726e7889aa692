/**
 * A document in a viewer, by the interface of PDFium itself. The package around it hands out a copy of each picture: megabytes that
 * are given back late, and then hold everything up. Here pictures are looked at where they are drawn.
 */
import { openedByOwner } from '../../../lib/pdf/file/owner-password.ts'
import type { PageSize } from '../../../lib/pdf/geometry.ts'
import type { Picture } from './pictures.ts'

/** The functions of PDFium that are used. Documents, pages and pictures are places in its memory; 0 is none. */
export interface Pdfium {
  memory: WebAssembly.Memory
  malloc(bytes: number): number
  free(place: number): void
  FPDF_LoadMemDocument(place: number, bytes: number, password: number): number
  FPDF_CloseDocument(document: number): void
  FPDF_GetPageCount(document: number): number
  /** Why the last document could not be opened. */
  FPDF_GetLastError(): number
  FPDF_GetFormType(document: number): number
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
  FPDF_CreateNewDocument(): number
  FPDFText_LoadStandardFont(document: number, name: number): number
  FPDFFont_GetFontData(font: number, place: number, bytes: number, size: number): number
}

type Area = [x: number, y: number, width: number, height: number, turns: number, flags: number]

/** How many bytes a pixel has is also the number of the format. */
const FORMATS = { color: 4, gray: 1 } as const
const WHITE = 0xffffffff
const FLAGS = { annotations: 0x01, textForScreens: 0x02, gray: 0x08, redFirst: 0x10 } as const
const PASSWORD_NEEDED = 4
/** A form that only an XFA processor can show. */
const FULL_XFA = 2
/** More than the table of callbacks needs, of which there are none; it begins with its version. */
const CALLBACKS_BYTES = 256
const CALLBACKS_VERSION = 2

/** The viewer cannot open a document, or one of its pages. */
export class ViewerError extends Error {
  readonly needsPassword: boolean
  constructor(message: string, needsPassword = false) {
    super(message)
    this.needsPassword = needsPassword
  }
}

export interface ViewedDocument {
  pageCount: number
  /** Whether its pages only say that another program is needed. */
  isDynamicXfa: boolean
  /** Returns the size of a page as it is shown, in points. */
  sizeOf(index: number): PageSize
  /**
   * @param index from 0
   * @param scale pixels to a point
   * @returns a picture that is there until the next one is drawn
   */
  draw(index: number, scale: number, format: keyof typeof FORMATS): Picture
  /**
   * Draws all of a page into so many pixels as it is on paper: letters without colored edges.
   * @param pixels returns the width and height of the picture of a page of this size, in points
   */
  drawPage(index: number, pixels: (page: PageSize) => PageSize): { page: PageSize; picture: Picture }
}

/**
 * Nothing has to be closed, because the memory of the viewer is given back as a whole. Throws when the document cannot be opened.
 */
export function viewDocument(pdfium: Pdfium, pdf: Uint8Array): ViewedDocument {
  const document = loaded(pdfium, pdf) || loadedByOwner(pdfium, pdf)
  if (!document) throw new ViewerError('The viewer cannot open the document')
  let form: number | undefined
  let drawn: number | undefined

  function pictureOf(page: number, { width, height }: PageSize, format: keyof typeof FORMATS, flags: number): Picture {
    const size = FORMATS[format]
    if (drawn !== undefined) pdfium.free(drawn)
    drawn = allocated(pdfium, width * height * size)
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, size, drawn, width * size)
    if (!bitmap) throw new ViewerError('The viewer cannot draw a page')
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
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
    return { width, height, data: new Uint8Array(pdfium.memory.buffer, drawn, width * height * size) }
  }

  function onPage<T>(index: number, use: (page: number, size: PageSize) => T): T {
    const page = pdfium.FPDF_LoadPage(document, index)
    if (!page) throw new ViewerError('The viewer cannot open a page')
    try {
      return use(page, { width: pdfium.FPDF_GetPageWidth(page), height: pdfium.FPDF_GetPageHeight(page) })
    } finally {
      pdfium.FPDF_ClosePage(page)
    }
  }

  return {
    pageCount: pdfium.FPDF_GetPageCount(document),
    isDynamicXfa: pdfium.FPDF_GetFormType(document) === FULL_XFA,
    sizeOf: (index) => onPage(index, (_, size) => size),
    draw: (index, scale, format) =>
      onPage(index, (page, size) => {
        const width = Math.floor(Math.floor(size.width) * scale)
        const height = Math.floor(Math.floor(size.height) * scale)
        const flags = FLAGS.textForScreens | (format === 'gray' ? FLAGS.gray : FLAGS.redFirst)
        return pictureOf(page, { width, height }, format, flags)
      }),
    drawPage: (index, pixels) =>
      onPage(index, (page, size) => ({ page: size, picture: pictureOf(page, pixels(size), 'color', FLAGS.redFirst) })),
  }
}

/** Returns 0 where the document cannot be opened. @param password in bytes */
function loaded(pdfium: Pdfium, pdf: Uint8Array, password?: Uint8Array): number {
  const place = written(pdfium, pdf)
  return pdfium.FPDF_LoadMemDocument(place, pdf.length, password ? written(pdfium, Buffer.concat([password, END])) : 0)
}

/** Where texts end for the viewer. */
const END = Buffer.alloc(1)

function written(pdfium: Pdfium, bytes: Uint8Array): number {
  const place = allocated(pdfium, bytes.length)
  new Uint8Array(pdfium.memory.buffer).set(bytes, place)
  return place
}

function loadedByOwner(pdfium: Pdfium, pdf: Uint8Array): number {
  if (pdfium.FPDF_GetLastError() !== PASSWORD_NEEDED) return 0
  const opened = openedByOwner(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength))
  const document = opened && loaded(pdfium, opened.pdf, opened.password)
  if (!document) throw new ViewerError('The viewer cannot open the document', true)
  return document
}

function openForm(pdfium: Pdfium, document: number): number {
  const callbacks = allocated(pdfium, CALLBACKS_BYTES)
  const table = new DataView(pdfium.memory.buffer, callbacks, CALLBACKS_BYTES)
  new Uint8Array(pdfium.memory.buffer).fill(0, callbacks, callbacks + CALLBACKS_BYTES)
  table.setUint32(0, CALLBACKS_VERSION, true)
  const form = pdfium.FPDFDOC_InitFormFillEnvironment(document, callbacks)
  if (!form) throw new ViewerError('The viewer cannot show the forms of the document')
  return form
}

function allocated(pdfium: Pdfium, bytes: number): number {
  const place = pdfium.malloc(bytes)
  if (!place) throw new ViewerError('The viewer has no memory left')
  return place
}
