/**
 * A TrueType font cut down to the glyphs in use. Copies tables and glyphs as they are, where a library would decode each point of each
 * glyph; test/server/pdf/cut-down.test.ts holds the bytes against fontkit. Trusts the font, which comes from a package.
 */

export interface CutDown {
  /** Returns the number of the glyph in the cut-down font. */
  include(glyph: number): number
  /** The font with what was included until then, and with the glyphs that those are put together from. */
  program(): Uint8Array
}

export function cutDown(program: Uint8Array): CutDown {
  const font = Buffer.from(program.buffer, program.byteOffset, program.byteLength)
  const tables = tablesOf(font)
  const glyphs: number[] = []
  const numbers = new Map<number, number>()
  const include = (glyph: number): number => {
    const number = numbers.get(glyph) ?? glyphs.push(glyph) - 1
    numbers.set(glyph, number)
    return number
  }
  // The one for what is missing.
  include(0)
  return {
    include,
    program() {
      const outlines: Buffer[] = []
      // Parts of glyphs are added while this runs.
      for (let i = 0; i < glyphs.length; i++) outlines.push(outlineOf(tables, glyphs[i]!, include))
      return written(tables, glyphs, outlines)
    },
  }
}

type Tables = ReadonlyMap<string, Buffer>

const HEADER = 12
const ENTRY = 16

function tablesOf(font: Buffer): Tables {
  const tables = new Map<string, Buffer>()
  for (let i = 0; i < font.readUInt16BE(4); i++) {
    const entry = HEADER + ENTRY * i
    const start = font.readUInt32BE(entry + 8)
    tables.set(font.toString('latin1', entry, entry + 4), font.subarray(start, start + font.readUInt32BE(entry + 12)))
  }
  return tables
}

function table(tables: Tables, tag: string): Buffer {
  const found = tables.get(tag)
  if (!found) throw new Error(`The font has no table ${tag}`)
  return found
}

/** Places in tables. */
const LONG_OFFSETS = 50
const GLYPH_COUNT = 4
const METRIC_COUNT = 34

const hasLongOffsets = (tables: Tables): boolean => table(tables, 'head').readUInt16BE(LONG_OFFSETS) === 1

/** The outline as it is; one that is put together from others refers to them by their new numbers. */
function outlineOf(tables: Tables, glyph: number, include: CutDown['include']): Buffer {
  const offsets = table(tables, 'loca')
  const [start, end] = hasLongOffsets(tables)
    ? [offsets.readUInt32BE(4 * glyph), offsets.readUInt32BE(4 * glyph + 4)]
    : [2 * offsets.readUInt16BE(2 * glyph), 2 * offsets.readUInt16BE(2 * glyph + 2)]
  const outline = table(tables, 'glyf').subarray(start, end)
  return outline.length > 0 && outline.readInt16BE(0) < 0 ? withParts(Buffer.from(outline), include) : outline
}

/** Where the parts of a glyph begin, and what their flags say of the bytes that follow. */
const PARTS = 10
const FLAG = { words: 0x01, scale: 0x08, more: 0x20, twoScales: 0x40, matrix: 0x80 } as const

function withParts(outline: Buffer, include: CutDown['include']): Buffer {
  for (let at = PARTS, more = true; more; ) {
    const flags = outline.readUInt16BE(at)
    outline.writeUInt16BE(include(outline.readUInt16BE(at + 2)), at + 2)
    const scale = flags & FLAG.matrix ? 8 : flags & FLAG.twoScales ? 4 : flags & FLAG.scale ? 2 : 0
    at += 4 + (flags & FLAG.words ? 4 : 2) + scale
    more = (flags & FLAG.more) !== 0
  }
  return outline
}

function written(tables: Tables, glyphs: readonly number[], outlines: readonly Buffer[]): Uint8Array {
  const [maxp, hhea] = [Buffer.from(table(tables, 'maxp')), Buffer.from(table(tables, 'hhea'))]
  maxp.writeUInt16BE(glyphs.length, GLYPH_COUNT)
  hhea.writeUInt16BE(glyphs.length, METRIC_COUNT)
  const parts: [tag: string, bytes: Buffer | undefined][] = [
    ['head', table(tables, 'head')],
    ['hhea', hhea],
    ['loca', offsetsOf(outlines, hasLongOffsets(tables))],
    ['maxp', maxp],
    ['cvt ', tables.get('cvt ')],
    ['prep', tables.get('prep')],
    ['glyf', Buffer.concat(outlines)],
    ['hmtx', metricsOf(tables, glyphs)],
    ['fpgm', tables.get('fpgm')],
  ]
  const present = parts.filter((part): part is [string, Buffer] => part[1] !== undefined)
  const power = Math.floor(Math.log2(present.length))
  const header = Buffer.alloc(HEADER + ENTRY * present.length)
  header.write('true', 'latin1')
  header.writeUInt16BE(present.length, 4)
  header.writeUInt16BE(2 ** power * ENTRY, 6)
  header.writeUInt16BE(power, 8)
  header.writeUInt16BE((present.length - 2 ** power) * ENTRY, 10)
  let offset = header.length
  for (const [i, [tag, bytes]] of present.entries()) {
    const entry = HEADER + ENTRY * i
    header.write(tag, entry, 'latin1')
    header.writeUInt32BE(offset, entry + 8)
    header.writeUInt32BE(bytes.length, entry + 12)
    offset += bytes.length
  }
  return Buffer.concat([header, ...present.map(([, bytes]) => bytes)])
}

function offsetsOf(outlines: readonly Buffer[], areLong: boolean): Buffer {
  const offsets = Buffer.alloc((areLong ? 4 : 2) * (outlines.length + 1))
  let offset = 0
  for (let i = 0; i <= outlines.length; i++) {
    if (areLong) offsets.writeUInt32BE(offset, 4 * i)
    else offsets.writeUInt16BE(offset / 2, 2 * i)
    offset += outlines[i]?.length ?? 0
  }
  return offsets
}

/** The advance and the bearing of each glyph. The last glyphs of a font may share an advance, and have bearings alone. */
function metricsOf(tables: Tables, glyphs: readonly number[]): Buffer {
  const [metrics, count] = [table(tables, 'hmtx'), table(tables, 'hhea').readUInt16BE(METRIC_COUNT)]
  const found = Buffer.alloc(4 * glyphs.length)
  for (const [i, glyph] of glyphs.entries()) {
    const advance = metrics.readUInt16BE(4 * Math.min(glyph, count - 1))
    const bearing = metrics.readInt16BE(glyph < count ? 4 * glyph + 2 : 4 * count + 2 * (glyph - count))
    found.writeUInt16BE(advance, 4 * i)
    found.writeInt16BE(bearing, 4 * i + 2)
  }
  return found
}
