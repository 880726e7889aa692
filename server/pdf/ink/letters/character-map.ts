/**
 * Which characters a font has, read from its `cmap` table alone, so that no one has to parse the font for that. Trusts the font,
 * which comes from a package.
 */

/** Tables by platform and encoding: first those for all of Unicode, then those for its first plane. */
const UNICODE = ['3.10', '0.6', '0.4', '3.1', '0.3', '0.2', '0.1', '0.0']
/** The length of an entry in the list of tables, and in the list of maps. */
const TABLE_ENTRY = 16
const MAP_ENTRY = 8
const NO_CHARACTER = 0xffff

/**
 * Returns the code points as ranges, first and last of each, in the order of the font.
 * @param program a TrueType or OpenType font
 * @throws Error when it has no map of Unicode in a form that is read here
 */
export function characterRanges(program: Uint8Array): [first: number, last: number][] {
  const font = new DataView(program.buffer, program.byteOffset, program.byteLength)
  const table = cmapOf(font)
  const maps = new Map<string, number>()
  for (let i = 0; i < font.getUint16(table + 2); i++) {
    const entry = table + 4 + MAP_ENTRY * i
    maps.set(`${font.getUint16(entry)}.${font.getUint16(entry + 2)}`, table + font.getUint32(entry + 4))
  }
  const chosen = UNICODE.find((name) => maps.has(name))
  const map = chosen === undefined ? undefined : maps.get(chosen)
  const format = map === undefined ? undefined : font.getUint16(map)
  if (map !== undefined && format === 4) return segments(font, map)
  if (map !== undefined && format === 12) return groups(font, map)
  throw new Error(`The font has no map of Unicode that is read here (format ${format ?? 'none'})`)
}

function cmapOf(font: DataView): number {
  for (let i = 0; i < font.getUint16(4); i++) {
    const entry = 12 + TABLE_ENTRY * i
    if (font.getUint32(entry) === CMAP) return font.getUint32(entry + 8)
  }
  throw new Error('The font has no cmap table')
}

/** The tag `cmap`. */
const CMAP = 0x636d6170

/** Format 4: the last codes of all segments, two bytes, and then the first codes. */
function segments(font: DataView, map: number): [number, number][] {
  const length = font.getUint16(map + 6)
  return Array.from({ length: length / 2 }, (_, i): [number, number] => {
    const last = font.getUint16(map + 14 + 2 * i)
    return [font.getUint16(map + 16 + length + 2 * i), last]
  }).filter(([first]) => first !== NO_CHARACTER)
}

/** Format 12: first code, last code and first glyph of each group. */
function groups(font: DataView, map: number): [number, number][] {
  return Array.from({ length: font.getUint32(map + 12) }, (_, i) => {
    const group = map + 16 + 12 * i
    return [font.getUint32(group), font.getUint32(group + 4)]
  })
}
