/**
 * Puts the standard fonts of a document into it, where it only names them. Each viewer has others for them, which differ in large
 * letters, in their widths, and in which signs they have.
 */
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
  StandardFontEmbedder,
  StandardFonts,
} from 'pdf-lib'
import { hasProgram } from '../fonts/font-program.ts'
import { textOf } from '../fonts/font-use.ts'
import { baseOf, differences } from './doubtful-codes.ts'
import { standardFont } from './usual-widths.ts'

/**
 * Returns whether the document has got any. It is changed.
 * @param faceOf returns the program of a standard font, in the Compact Font Format
 */
export function embedFaces(doc: PDFDocument, faceOf: (name: StandardFonts) => Uint8Array): boolean {
  const programs = new Map<StandardFonts, PDFRef>()
  const { context } = doc
  for (const font of namedFonts(doc)) {
    const name = standardFont(textOf(font, 'BaseFont')!)!
    const program =
      programs.get(name) ?? context.register(context.flateStream(faceOf(name), { Subtype: PDFName.of('Type1C') }))
    programs.set(name, program)
    embed(font, name, program)
  }
  return programs.size > 0
}

/** The fonts that have a standard name and no program. */
function namedFonts(doc: PDFDocument): PDFDict[] {
  const found: PDFDict[] = []
  const visit = (object: PDFObject | undefined) => {
    if (object instanceof PDFArray) for (const item of object.asArray()) visit(item)
    if (object instanceof PDFRawStream) visit(object.dict)
    if (!(object instanceof PDFDict)) return
    if (isNamedFont(object)) found.push(object)
    else for (const value of object.values()) visit(value)
  }
  for (const [, object] of doc.context.enumerateIndirectObjects()) visit(object)
  return found
}

function isNamedFont(dict: PDFDict): boolean {
  const [subtype, name] = [textOf(dict, 'Subtype'), textOf(dict, 'BaseFont')]
  return (
    (subtype === 'Type1' || subtype === 'TrueType') && name !== null && standardFont(name) !== null && !hasProgram(dict)
  )
}

function embed(font: PDFDict, name: StandardFonts, program: PDFRef): void {
  const { context } = font
  const isText = name !== StandardFonts.Symbol && name !== StandardFonts.ZapfDingbats
  const { font: metrics } = StandardFontEmbedder.for(name as never)
  // The tag keeps viewers from taking a font of their own for one that has a standard name.
  const ownName = `STDFNT+${name}`
  const names = isText ? namesByCode(font) : null
  if (names) {
    const base = baseOf(font.lookup(PDFName.of('Encoding')))
    font.set(
      PDFName.of('Encoding'),
      context.obj({
        Type: 'Encoding',
        ...(base !== null && base !== 'StandardEncoding' && { BaseEncoding: base }),
        Differences: [...names].sort(([a], [b]) => a - b).flat(),
      }),
    )
  }
  if (!font.has(PDFName.of('Widths'))) {
    const ownNames = names ?? builtInNames(name)
    const widths = Array.from({ length: LAST - FIRST + 1 }, (_, i) => {
      const letter = ownNames.get(FIRST + i)
      return letter === undefined ? 0 : (metrics.getWidthOfGlyph(letter) ?? 0)
    })
    font.set(PDFName.of('FirstChar'), context.obj(FIRST))
    font.set(PDFName.of('LastChar'), context.obj(LAST))
    font.set(PDFName.of('Widths'), context.obj(widths))
  }
  const descriptor = context.obj({
    Type: 'FontDescriptor',
    FontName: ownName,
    Flags: isText ? NONSYMBOLIC : SYMBOLIC,
    FontBBox: [...metrics.FontBBox],
    ItalicAngle: metrics.ItalicAngle,
    Ascent: metrics.Ascender ?? metrics.FontBBox[3],
    Descent: metrics.Descender ?? metrics.FontBBox[1],
    CapHeight: metrics.CapHeight ?? metrics.FontBBox[3],
    StemV: metrics.StdVW,
    FontFile3: program,
  })
  font.set(PDFName.of('Subtype'), PDFName.of('Type1'))
  font.set(PDFName.of('BaseFont'), PDFName.of(ownName))
  font.set(PDFName.of('FontDescriptor'), context.register(descriptor))
}

const [FIRST, LAST] = [32, 255]
/** ISO 32000-1, table 123. */
const [SYMBOLIC, NONSYMBOLIC] = [4, 32]

/** Returns the names of the letters of a text font by their codes. ISO 32000-1, annex D. */
function namesByCode(font: PDFDict): Map<number, string> {
  const encoding = font.lookup(PDFName.of('Encoding'))
  const base = baseOf(encoding)
  const isLatin = base === 'WinAnsiEncoding'
  const names = new Map<number, string>()
  for (const [code, name] of builtInNames(StandardFonts.Helvetica)) if (isLatin || code < 0x7f) names.set(code, name)
  if (isLatin) {
    names.set(0xa0, 'space')
    names.set(0xad, 'hyphen')
  } else if (base !== 'MacRomanEncoding') {
    names.set(0x27, 'quoteright')
    names.set(0x60, 'quoteleft')
  }
  if (encoding instanceof PDFDict) for (const [code, name] of differences(encoding)) names.set(code.charCodeAt(0), name)
  return names
}

/** Returns the names of the letters of a standard font by the codes that it has by itself; those of text fonts are Windows'. */
function builtInNames(standard: StandardFonts): Map<number, string> {
  const { encoding } = StandardFontEmbedder.for(standard as never)
  return new Map(
    encoding.supportedCodePoints.map((point) => {
      const { code, name } = encoding.encodeUnicodeCodePoint(point)
      return [code, name]
    }),
  )
}
