/** The table of an embedded font from which readers take the characters of each code. */

/** The most that one block may hold. */
const BLOCK = 100

/** @param texts by code, the first of which is 1 */
export function toUnicode(texts: readonly string[]): Uint8Array {
  const lines = texts.map((text, i) => `<${hexCode(i + 1)}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`)
  const blocks: string[] = []
  for (let at = 0; at < lines.length; at += BLOCK) {
    const block = lines.slice(at, at + BLOCK)
    blocks.push(`${block.length} beginbfchar`, ...block, 'endbfchar')
  }
  return Buffer.from([...HEAD, ...blocks, ...FOOT].join('\n'))
}

/** A code as it is in text: four digits. */
export const hexCode = (code: number): string => code.toString(16).padStart(4, '0')

const HEAD = [
  '/CIDInit /ProcSet findresource begin',
  '12 dict begin',
  'begincmap',
  '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
  '/CMapName /Adobe-Identity-UCS def',
  '/CMapType 2 def',
  '1 begincodespacerange',
  '<0000> <ffff>',
  'endcodespacerange',
]

const FOOT = ['endcmap', 'CMapName currentdict /CMap defineresource pop', 'end', 'end']
