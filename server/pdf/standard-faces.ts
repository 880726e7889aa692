/** The programs of the standard fonts: those that the viewer (PDFium) draws with where a document only names a font. */
import type { StandardFonts } from 'pdf-lib'
import { withViewer } from './compare/viewer.ts'

export type FaceOf = (name: StandardFonts) => Uint8Array

const known = new Map<StandardFonts, Uint8Array>()

/** Calls `use` with a function that returns the program of a font, in the Compact Font Format. */
export function withStandardFaces<T>(use: (faceOf: FaceOf) => T): Promise<T> {
  return withViewer(async ({ pdfium }) => {
    let document: number | undefined
    const face = (name: StandardFonts): Uint8Array => {
      document ??= pdfium.FPDF_CreateNewDocument()
      const written = Buffer.from(`${name}\0`, 'latin1')
      const [nameAt, sizeAt] = [pdfium.malloc(written.length), pdfium.malloc(SIZE_BYTES)]
      new Uint8Array(pdfium.memory.buffer).set(written, nameAt)
      const font = pdfium.FPDFText_LoadStandardFont(document, nameAt)
      const sizeNow = () => new DataView(pdfium.memory.buffer).getUint32(sizeAt, true)
      pdfium.FPDFFont_GetFontData(font, 0, 0, sizeAt)
      const place = pdfium.malloc(sizeNow())
      pdfium.FPDFFont_GetFontData(font, place, sizeNow(), sizeAt)
      return Uint8Array.from(new Uint8Array(pdfium.memory.buffer, place, sizeNow()))
    }
    return use((name) => {
      const program = known.get(name) ?? face(name)
      known.set(name, program)
      return program
    })
  })
}

/** More than the number needs. */
const SIZE_BYTES = 8
