/** Reads the character map of a TrueType program the other way round: which letters lead to a glyph. Never trusts its numbers. */

/** Tables by platform and encoding that map Unicode. */
const UNICODE: ReadonlySet<string> = new Set(['3.1', '3.10', '0.0', '0.1', '0.2', '0.3', '0.4', '0.6'])
const CMAP = 0x636d6170
/** Unicode has no more. */
const MOST_LETTERS = 0x11_0000

/** Null where it has no map of Unicode, or one that cannot be read. */
export function lettersByGlyph(program: Buffer): Map<number, string[]> | null {
  try {
    const table = tableAt(program)
    if (table === null) return null
    const letters = new Map<number, string[]>()
    for (let i = 0; i < program.readUInt16BE(table + 2); i++) {
      const entry = table + 4 + 8 * i
      if (!UNICODE.has(`${program.readUInt16BE(entry)}.${program.readUInt16BE(entry + 2)}`)) continue
      readMap(program, table + program.readUInt32BE(entry + 4), (letter, glyph) => {
        const known = letters.get(glyph)
        if (known) known.push(String.fromCodePoint(letter))
        else letters.set(glyph, [String.fromCodePoint(letter)])
      })
    }
    return letters.size > 0 ? letters : null
  } catch {
    // A place outside of the program.
    return null
  }
}

function tableAt(program: Buffer): number | null {
  for (let i = 0; i < program.readUInt16BE(4); i++)
    if (program.readUInt32BE(12 + 16 * i) === CMAP) return program.readUInt32BE(12 + 16 * i + 8)
  return null
}

function readMap(program: Buffer, map: number, add: (letter: number, glyph: number) => void): void {
  const format = program.readUInt16BE(map)
  let count = 0
  const addOne = (letter: number, glyph: number) => {
    if (++count > MOST_LETTERS) throw new RangeError('more letters than there are')
    if (glyph !== 0) add(letter, glyph)
  }
  if (format === 12) {
    for (let i = 0; i < program.readUInt32BE(map + 12); i++) {
      const group = map + 16 + 12 * i
      const [first, last, glyph] = [0, 4, 8].map((at) => program.readUInt32BE(group + at)) as [number, number, number]
      for (let letter = first; letter <= last; letter++) addOne(letter, glyph + letter - first)
    }
  } else if (format === 4) {
    const length = program.readUInt16BE(map + 6)
    for (let at = 0; at < length; at += 2) {
      const [last, first] = [program.readUInt16BE(map + 14 + at), program.readUInt16BE(map + 16 + length + at)]
      const shift = program.readUInt16BE(map + 16 + 2 * length + at)
      const rangeAt = map + 16 + 3 * length + at
      const range = program.readUInt16BE(rangeAt)
      for (let letter = first; letter <= last && letter < 0xffff; letter++) {
        const found = range === 0 ? letter : program.readUInt16BE(rangeAt + range + 2 * (letter - first))
        addOne(letter, found === 0 ? 0 : (found + shift) & 0xffff)
      }
    }
  }
}
