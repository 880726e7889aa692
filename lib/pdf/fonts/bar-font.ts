/** A font with one letter, the bar of Courier. It is read many times faster than Courier, which has hundreds of letters. */
import type { PDFContext, PDFRef } from 'pdf-lib'

/** The letter, as in `(|) Tj`. */
export const BAR = '|'
const CODE = BAR.charCodeAt(0)

/** In thousandths of the em. */
const [LEFT, BOTTOM, RIGHT, TOP, ADVANCE] = [274, -250, 325, 750, 600]

/** Registers the font. */
export function embedBarFont(context: PDFContext): PDFRef {
  const descriptor = context.obj({
    Type: 'FontDescriptor',
    FontName: 'Bar',
    // Symbolic: its codes are those of its own map.
    Flags: 4,
    FontBBox: [LEFT, BOTTOM, RIGHT, TOP],
    ItalicAngle: 0,
    Ascent: TOP,
    Descent: BOTTOM,
    CapHeight: TOP,
    StemV: RIGHT - LEFT,
    FontFile2: context.register(context.stream(PROGRAM, { Length1: PROGRAM.length })),
  })
  const font = {
    Type: 'Font',
    Subtype: 'TrueType',
    BaseFont: 'Bar',
    FirstChar: CODE,
    LastChar: CODE,
    Widths: [ADVANCE],
    FontDescriptor: context.register(descriptor),
  }
  return context.register(context.obj(font))
}

/** One contour in the box of the bar; it ends at point 3, has no instructions, and its four points are on it. */
const CONTOUR = [1, LEFT, BOTTOM, RIGHT, TOP, 3, 0, 0x0101, 0x0101]
/** By how much each point is away from the one before. */
const ACROSS = [LEFT, RIGHT - LEFT, 0, LEFT - RIGHT]
const UP = [BOTTOM, 0, TOP - BOTTOM, 0]

/** Tables of a TrueType font, in words of 16 bits. Glyph 0 is empty, as is usual; glyph 1 is the bar. */
const TABLES: Readonly<Record<string, readonly number[]>> = {
  // One map, that of old Macintoshes, which has one code.
  cmap: [0, 1, 1, 0, 0, 12, 6, 12, 0, CODE, 1, 1],
  glyf: [...CONTOUR, ...ACROSS, ...UP],
  // The magic number, 1000 units in an em, and the box of the bar.
  head: [1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, 1000, 0, 0, 0, 0, 0, 0, 0, 0, LEFT, BOTTOM, RIGHT, TOP, 0, 8, 2, 0, 0],
  hhea: [1, 0, TOP, BOTTOM, 0, ADVANCE, LEFT, ADVANCE - RIGHT, RIGHT, 1, 0, 0, 0, 0, 0, 0, 0, 2],
  hmtx: [ADVANCE, 0, ADVANCE, LEFT],
  // In words: where glyph 0 begins, and glyph 1, and where that ends.
  loca: [0, 0, 17],
  maxp: [1, 0, 2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
}

const PROGRAM = programOf(Object.entries(TABLES))

/** Checksums are omitted: no reader of a specimen looks at them. */
function programOf(tables: readonly [name: string, words: readonly number[]][]): Uint8Array {
  const head = Buffer.alloc(12 + 16 * tables.length)
  head.set(bytesOf([1, 0, tables.length, 64, 2, 16 * tables.length - 64]))
  const parts: Buffer[] = []
  let offset = head.length
  for (const [i, [name, words]] of tables.entries()) {
    const at = 12 + 16 * i
    head.write(name, at, 'latin1')
    head.writeUInt32BE(offset, at + 8)
    head.writeUInt32BE(2 * words.length, at + 12)
    // Tables begin at multiples of four bytes.
    const part = bytesOf(words.length % 2 === 0 ? words : [...words, 0])
    parts.push(part)
    offset += part.length
  }
  return Buffer.concat([head, ...parts])
}

function bytesOf(words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * words.length)
  for (const [i, word] of words.entries()) bytes.writeUInt16BE(word & 0xffff, 2 * i)
  return bytes
}
