/** Builds small PDFs from content streams, so that a test can write text in any way a producer might. */
import { degrees, PDFDocument, PDFName, type PDFRef, PDFString, StandardFonts } from 'pdf-lib'

export interface PageOptions {
  /**
   * Operators of the content stream. Fonts: F1 Helvetica, F2 Helvetica-Bold, F3 Times-Roman, F4 Courier, F5 a Japanese font
   * written downwards, in UCS-2.
   */
  content?: string
  size?: readonly [width: number, height: number]
  rotate?: number
  /** x, y, width, height in user space. */
  crop?: [number, number, number, number]
  media?: [number, number, number, number]
  userUnit?: number
  /** A form XObject named Fm, with its own matrix and operators. */
  form?: { matrix: number[]; content: string }
}

/** A document with one page for each of the options. */
export async function aPdf(...pages: PageOptions[]): Promise<Uint8Array> {
  const doc = await aDocument(...pages)
  return doc.save({ useObjectStreams: false })
}

export async function aDocument(...pages: PageOptions[]): Promise<PDFDocument> {
  const doc = await PDFDocument.create()
  const names = [StandardFonts.Helvetica, StandardFonts.HelveticaBold, StandardFonts.TimesRoman, StandardFonts.Courier]
  const fonts = await Promise.all(names.map((name) => doc.embedFont(name)))
  for (const { content = '', size = [612, 792] as const, rotate = 0, crop, media, userUnit, form } of pages) {
    const page = doc.addPage([size[0], size[1]])
    for (const [i, font] of fonts.entries()) page.node.setFontDictionary(PDFName.of(`F${i + 1}`), font.ref)
    page.node.setFontDictionary(PDFName.of('F5'), verticalFont(doc))
    if (media) page.setMediaBox(...media)
    if (crop) page.setCropBox(...crop)
    page.setRotation(degrees(rotate))
    if (userUnit) page.node.set(PDFName.of('UserUnit'), doc.context.obj(userUnit))
    if (form) {
      const fontsOfPage = page.node.Resources()!.get(PDFName.of('Font'))!
      const dict = {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [0, 0, 1000, 1000],
        Matrix: form.matrix,
        Resources: { Font: fontsOfPage },
      }
      page.node.setXObject(PDFName.of('Fm'), doc.context.register(doc.context.stream(form.content, dict)))
    }
    page.node.addContentStream(doc.context.register(doc.context.stream(content)))
  }
  return doc
}

function verticalFont({ context }: PDFDocument): PDFRef {
  const descriptor = { Type: 'FontDescriptor', FontName: 'HeiseiMin-W3', Flags: 4, Ascent: 857, Descent: -143 }
  const descendant = {
    Type: 'Font',
    Subtype: 'CIDFontType0',
    BaseFont: 'HeiseiMin-W3',
    CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Japan1'), Supplement: 2 },
    FontDescriptor: context.register(context.obj(descriptor)),
  }
  const font = {
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: 'HeiseiMin-W3',
    Encoding: 'UniJIS-UCS2-V',
    DescendantFonts: [context.register(context.obj(descendant))],
  }
  return context.register(context.obj(font))
}
