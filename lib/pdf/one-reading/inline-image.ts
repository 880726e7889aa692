/** Pictures within page content. Their data ends where some readers find a word, and others have enough of it. */
import { inflate } from '../file/inflate.ts'
import { skipBetween, wordAt } from '../file/lexer.ts'
import { parseValue } from '../file/syntax.ts'
import { countOf, nameOf, SyntaxProblem, type Value } from '../file/value.ts'

const MAX_BYTES = 1024 * 1024
const UNCLEAR = 'a picture in its text that does not end clearly'

/** @param from behind `BI`. Returns where the operator `EI` ends. Throws a `SyntaxProblem`. */
export function endOfInlineImage(content: Buffer, from: number): number {
  const entries = new Map<string, Value>()
  let at = skipBetween(content, from)
  let id = wordAt(content, at, 'ID')
  while (id === null) {
    const key = parseValue(content, at)
    const value = parseValue(content, key.end)
    if (key.kind !== 'name' || entries.has(key.name)) throw new SyntaxProblem(UNCLEAR)
    entries.set(key.name, value)
    at = skipBetween(content, value.end)
    id = wordAt(content, at, 'ID')
  }
  const start = id + 1
  const end = firstEnd(content, start)
  if (!isWhole(content.subarray(start, end), (short, long) => entries.get(short) ?? entries.get(long))) {
    throw new SyntaxProblem(UNCLEAR)
  }
  return end + 3
}

/** Where the first white space with `EI` and white space behind it begins. */
function firstEnd(content: Buffer, from: number): number {
  for (let at = content.indexOf('EI', from, 'latin1'); at >= 0; at = content.indexOf('EI', at + 1, 'latin1')) {
    const isWord = wordAt(content, at, 'EI') !== null
    const hasSpace = [0x0a, 0x0d, 0x20].includes(content[at - 1]!)
    if (isWord && hasSpace) return at - 1
    // The end for a reader that does not ask for the white space before.
    if (isWord && at < content.length - 2) throw new SyntaxProblem(UNCLEAR)
  }
  throw new SyntaxProblem(UNCLEAR)
}

function isWhole(data: Buffer, entry: (short: string, long: string) => Value | undefined): boolean {
  const filter = entry('F', 'Filter')
  const names = filter?.kind === 'array' ? filter.items.map(nameOf) : filter ? [nameOf(filter)] : []
  switch (names[0]) {
    case undefined:
      return hasLength(data, entry)
    case 'Fl':
    case 'FlateDecode':
      // Cut short, it would not end; what follows its end is white space at most.
      return names.length === 1 && isInflatable(data)
    case 'AHx':
    case 'ASCIIHexDecode':
      return data.indexOf('>') === data.toString('latin1').trimEnd().length - 1
    case 'A85':
    case 'ASCII85Decode':
      return data.indexOf('~>') === data.toString('latin1').trimEnd().length - 2
    case 'DCT':
    case 'DCTDecode':
      return data.indexOf(Buffer.from([0xff, 0xd9])) >= data.length - 4
    case 'CCF':
    case 'CCITTFaxDecode':
      return true
    default:
      return false
  }
}

const isInflatable = (data: Buffer): boolean => {
  const inflated = inflate(data, MAX_BYTES)
  // A stream that was cut continues when it is given more: its checksum is missing.
  return typeof inflated !== 'string' && data.length > 6 && endsWithChecksum(data, inflated)
}

function endsWithChecksum(data: Buffer, inflated: Buffer): boolean {
  let [a, b] = [1, 0]
  for (const byte of inflated) {
    a = (a + byte) % 65521
    b = (b + a) % 65521
  }
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(b * 65536 + a)
  return data.lastIndexOf(checksum) >= data.length - 6
}

function hasLength(data: Buffer, entry: (short: string, long: string) => Value | undefined): boolean {
  const [width, height] = [countOf(entry('W', 'Width')), countOf(entry('H', 'Height'))]
  const isMask = entry('IM', 'ImageMask')?.kind === 'boolean'
  const bits = isMask ? 1 : countOf(entry('BPC', 'BitsPerComponent'))
  const space = entry('CS', 'ColorSpace')
  const family = nameOf(space?.kind === 'array' ? space.items[0] : space) ?? ''
  const components = isMask ? 1 : COMPONENTS[family]
  if (width === null || height === null || !bits || !components) return false
  const length = Math.ceil((width * bits * components) / 8) * height
  // One line end before the word belongs to no row.
  return data.length === length || (data.length === length + 1 && /\s/.test(String.fromCharCode(data[length]!)))
}

const COMPONENTS: Readonly<Record<string, number>> = {
  G: 1,
  DeviceGray: 1,
  RGB: 3,
  DeviceRGB: 3,
  CMYK: 4,
  DeviceCMYK: 4,
  I: 1,
  Indexed: 1,
}
