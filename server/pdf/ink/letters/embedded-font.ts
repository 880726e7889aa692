/**
 * A font within a PDF, cut down to the glyphs in use. A glyph has a code for each text that it represents, so that readers find what
 * was written. The streams are made when the document is saved, so they hold all that was drawn until then.
 */
import { type PDFContext, type PDFDict, PDFFlateStream, type PDFRef, PDFString } from 'pdf-lib'
import { cutDown } from './cut-down.ts'
import type { Face } from './face.ts'
import type { PlacedGlyph } from './shape.ts'
import { hexCode, toUnicode } from './to-unicode.ts'

export interface EmbeddedFont {
  ref: PDFRef
  /** Its names in the resources of pages begin with this. */
  name: string
  /** The code of a glyph in this font, as four hexadecimal digits. */
  code(glyph: Pick<PlacedGlyph, 'id' | 'text' | 'width'>): string
}

export function embedFont(context: PDFContext, face: Face): EmbeddedFont {
  const ref = context.nextRef()
  // Viewers that keep fonts by name must not take one part of a font for another, not even that of an earlier update.
  const name = `${tag(ref.objectNumber)}+${face.parsed.postscriptName || 'Font'}`
  const subset = cutDown(face.program)
  /** Codes by what makes them; the first code is 1. */
  const codes = new Map<string, number>()
  const texts: string[] = []
  const glyphs: number[] = []
  const widths = context.obj([])
  const late = (contents: () => Uint8Array) => context.register(new LateStream(context.obj({}), contents))
  const descriptor = { ...measures(face, name), FontFile2: late(() => subset.program()) }
  const descendant = {
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
    CIDToGIDMap: late(() => glyphMap(glyphs)),
    W: [1, widths],
    FontDescriptor: context.register(context.obj(descriptor)),
  }
  const font = {
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [context.register(context.obj(descendant))],
    ToUnicode: late(() => toUnicode(texts)),
  }
  context.assign(ref, context.obj(font))
  return {
    name,
    ref,
    code({ id, text, width }) {
      const known = codes.get(`${id} ${text}`)
      if (known !== undefined) return hexCode(known)
      codes.set(`${id} ${text}`, codes.size + 1)
      texts.push(text)
      glyphs.push(subset.include(id))
      widths.push(context.obj(Math.round(width * 100) / 100))
      return hexCode(codes.size)
    },
  }
}

class LateStream extends PDFFlateStream {
  readonly #contents: () => Uint8Array

  constructor(dict: PDFDict, contents: () => Uint8Array) {
    super(dict, true)
    this.#contents = contents
  }

  override getUnencodedContents(): Uint8Array {
    return this.#contents()
  }
}

/** Six letters, as the format has them before the name of a part of a font. */
const tag = (number: number): string =>
  number
    .toString(16)
    .padStart(6, '0')
    .slice(-6)
    .replace(/./g, (digit) => String.fromCharCode(65 + Number.parseInt(digit, 16)))

const SYMBOLIC = 1 << 2

/** Returns the measures of the whole font for its descriptor, in thousandths of its size. */
function measures({ parsed }: Face, name: string) {
  const scale = 1000 / parsed.unitsPerEm
  const { minX, minY, maxX, maxY } = parsed.bbox
  return {
    Type: 'FontDescriptor',
    FontName: name,
    Flags: SYMBOLIC,
    FontBBox: [minX, minY, maxX, maxY].map((edge) => edge * scale),
    ItalicAngle: parsed.italicAngle,
    Ascent: parsed.ascent * scale,
    Descent: parsed.descent * scale,
    CapHeight: (parsed.capHeight || parsed.ascent) * scale,
    StemV: 0,
  }
}

/** Two bytes for each code, from 0 on: the glyph in the cut-down font. */
function glyphMap(glyphs: readonly number[]): Uint8Array {
  const map = Buffer.alloc(2 * glyphs.length + 2)
  for (const [i, glyph] of glyphs.entries()) map.writeUInt16BE(glyph, 2 * i + 2)
  return map
}
