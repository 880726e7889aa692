/**
 * Whether JPEG data is baseline, whole, and without an error, so that every viewer decodes it alike: each repairs a damaged picture
 * in a way of its own. Reads every code and draws nothing. ITU-T T.81, annexes B and F.
 */

export interface JpegSize {
  width: number
  height: number
  components: 1 | 3
}

interface Component {
  id: number
  blocks: number
  dc: HuffmanTable | undefined
  ac: HuffmanTable | undefined
}

/** The length and meaning of the code that the next 16 bits begin with; 0 for none. */
type HuffmanTable = Uint16Array

const [SOI, EOI, SOF0, SOF1, DHT, DQT, DRI, SOS, APP14] = [0xd8, 0xd9, 0xc0, 0xc1, 0xc4, 0xdb, 0xdd, 0xda, 0xee]

/** Returns what the picture is; null for data outside of this. */
export function plainJpeg(data: Buffer): JpegSize | null {
  try {
    return read(data)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function read(data: Buffer): JpegSize | null {
  const tables = new Map<number, HuffmanTable>()
  const quantized = new Set<number>()
  let frame: { size: JpegSize; components: Component[]; mcus: number; needed: number[] } | null = null
  let interval = 0
  /** The note of Adobe that says whether three components are colors themselves, which not every viewer asks. */
  let adobe: number | undefined
  let at = 2
  if (data[0] !== 0xff || data[1] !== SOI) return null
  for (;;) {
    if (data[at] !== 0xff) return null
    const marker = data[at + 1]!
    const length = data.readUInt16BE(at + 2)
    const body = data.subarray(at + 4, at + 2 + length)
    if (length < 2 || body.length !== length - 2) return null
    at += 2 + length
    if (marker === DHT) {
      if (!readTables(body, tables)) return null
    } else if (marker === DQT) {
      if (!readQuantization(body, quantized)) return null
    } else if (marker === SOF0 || marker === SOF1) {
      if (frame) return null
      frame = frameOf(body, adobe === CONVERTED)
      if (!frame) return null
    } else if (marker === DRI) interval = body.readUInt16BE(0)
    else if (marker === APP14) {
      if (body.toString('latin1', 0, 5) === 'Adobe') {
        if (adobe !== undefined || body.length < 12) return null
        adobe = body[11]
      }
    } else if (marker === SOS) {
      if (adobe !== undefined && adobe !== CONVERTED && frame?.size.components !== 1) return null
      if (!frame?.needed.every((id) => quantized.has(id)) || !startsScan(body, frame.components, tables)) return null
      const end = endOfScan(data, at, frame.components, frame.mcus, interval)
      if (end === null || data[end] !== 0xff || data[end + 1] !== EOI) return null
      return data.length - end - 2 <= TRAILING ? frame.size : null
    } else if (!isComment(marker)) return null
  }
}

/** ITU-T T.872, 6.5.3: brightness and two differences of color. */
const CONVERTED = 1
/** Bytes after the end; some producers fill up. */
const TRAILING = 16

/** Notes of applications, and comments. */
const isComment = (marker: number) => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe

function readTables(body: Buffer, tables: Map<number, HuffmanTable>): boolean {
  for (let at = 0; at < body.length; ) {
    const id = body[at]!
    if ((id & 0xee) !== 0) return false
    const counts = body.subarray(at + 1, at + 17)
    const total = counts.reduce((sum, count) => sum + count, 0)
    const values = body.subarray(at + 17, at + 17 + total)
    if (counts.length !== 16 || values.length !== total) return false
    const table = new Uint16Array(65_536)
    let [code, next] = [0, 0]
    for (const [i, count] of counts.entries()) {
      for (let n = 0; n < count; n++) {
        const from = code << (15 - i)
        if (from + (1 << (15 - i)) > 65_536) return false
        table.fill(((i + 1) << 8) | values[next++]!, from, from + (1 << (15 - i)))
        code++
      }
      code <<= 1
    }
    tables.set(id, table)
    at += 17 + total
  }
  return true
}

function readQuantization(body: Buffer, known: Set<number>): boolean {
  for (let at = 0; at < body.length; at += 65) {
    if (body[at]! > 3 || body.length < at + 65 || body.subarray(at + 1, at + 65).includes(0)) return false
    known.add(body[at]!)
  }
  return true
}

/** @param isSaid whether the data says what its components are; otherwise, viewers take that from their numbers */
function frameOf(body: Buffer, isSaid: boolean) {
  const [precision, height, width, count] = [body[0], body.readUInt16BE(1), body.readUInt16BE(3), body[5]]
  if (precision !== 8 || height === 0 || width === 0 || (count !== 1 && count !== 3) || body.length !== 6 + 3 * count)
    return null
  const parts = Array.from({ length: count }, (_, i) => body.subarray(6 + 3 * i, 9 + 3 * i))
  const sampling = parts.map((part) => [part[1]! >> 4, part[1]! & 15] as const)
  const first = (isSaid || count === 1) && parts[0]![0] === 0 ? 0 : 1
  if (
    !parts.every((part, i) => part[0] === i + first) ||
    !sampling.flat().every((factor) => factor === 1 || factor === 2)
  )
    return null
  // Only the brightness may be finer than the colors.
  if (!sampling.slice(1).every(([h, v]) => h === 1 && v === 1)) return null
  const [h, v] = count === 1 ? [1, 1] : sampling[0]!
  const mcus = Math.ceil(width / (8 * h)) * Math.ceil(height / (8 * v))
  const components = parts.map(
    (part, i): Component => ({ id: part[0]!, blocks: i === 0 ? h * v : 1, dc: undefined, ac: undefined }),
  )
  const needed = parts.map((part) => part[2]!)
  return { size: { width, height, components: count } as JpegSize, components, mcus, needed }
}

/** One scan has all components. */
function startsScan(body: Buffer, components: Component[], tables: ReadonlyMap<number, HuffmanTable>): boolean {
  const count = components.length
  if (body.length !== 4 + 2 * count || body[0] !== count) return false
  for (const [i, component] of components.entries()) {
    if (body[1 + 2 * i] !== component.id) return false
    const chosen = body[2 + 2 * i]!
    component.dc = tables.get(chosen >> 4)
    component.ac = tables.get(0x10 | (chosen & 15))
    if (!component.dc || !component.ac) return false
  }
  return body[1 + 2 * count] === 0 && body[2 + 2 * count] === 63 && body[3 + 2 * count] === 0
}

/** Returns where the data of the scan ends; null where a code is wrong or something is missing. */
function endOfScan(
  data: Buffer,
  from: number,
  components: readonly Component[],
  mcus: number,
  interval: number,
): number | null {
  let [at, kept, count] = [from, 0, 0]
  /** Makes sure of 16 bits; beyond the data there are ones, as encoders fill up. */
  const fill = () => {
    while (count < 16) {
      const byte = data[at]
      if (byte === undefined || (byte === 0xff && data[at + 1] !== 0)) {
        kept = ((kept << 8) | 0xff) & 0xffffff
        filling += 8
      } else {
        kept = ((kept << 8) | byte) & 0xffffff
        at += byte === 0xff ? 2 : 1
      }
      count += 8
    }
  }
  let filling = 0
  const symbol = (table: HuffmanTable): number => {
    fill()
    const found = table[(kept >> (count - 16)) & 0xffff]!
    count -= found >> 8
    return found === 0 ? -1 : found & 0xff
  }
  const skip = (bits: number) => {
    fill()
    count -= bits
  }
  const block = ({ dc, ac }: Component): boolean => {
    const size = symbol(dc!)
    if (size < 0 || size > 11) return false
    skip(size)
    for (let i = 1; i < 64; ) {
      const found = symbol(ac!)
      const [run, bits] = [found >> 4, found & 15]
      if (found < 0 || bits > 10) return false
      if (bits === 0 && run !== 15) return run === 0
      i += run + 1
      if (i > 64) return false
      skip(bits)
    }
    return true
  }
  for (let mcu = 0; mcu < mcus; mcu++) {
    if (interval > 0 && mcu > 0 && mcu % interval === 0) {
      if (!isAtEnd() || data[at] !== 0xff || data[at + 1] !== 0xd0 + ((mcu / interval - 1) & 7)) return null
      at += 2
      ;[kept, count, filling] = [0, 0, 0]
    }
    for (const component of components) for (let n = 0; n < component.blocks; n++) if (!block(component)) return null
    if (filling > count) return null
  }
  return isAtEnd() ? at : null

  /** All data was used, up to a part of its last byte. */
  function isAtEnd(): boolean {
    const unused = count - filling
    return unused >= 0 && unused < 8 && (filling > 0 || data[at] === 0xff)
  }
}
