/**
 * Writes pictures as baseline JPEG (ITU-T T.81), without subsampling, so that colored letters stay sharp. For pages that are
 * photographs or scans; Node.js has no encoder of its own.
 */

/** Brightness alone, or red, green, and blue of each pixel. */
export interface Samples {
  width: number
  height: number
  channels: 1 | 3
  /** Row by row from the top left. */
  data: Uint8Array
}

/** @param quality 1 to 100, as the encoder of the Independent JPEG Group counts */
export function encodeJpeg({ width, height, channels, data }: Samples, quality: number): Uint8Array {
  const tables = QUANTIZATION.map((table) => scaled(table, quality))
  const bits = bitWriter(Math.max(1024, (width * height * channels) >> 2))
  bits.bytes(headers(width, height, channels, tables))
  const components = Array.from({ length: channels }, (_, i) => componentOf(i === 0 ? 0 : 1, tables))
  const pixels = Array.from({ length: channels }, () => new Float32Array(64))
  for (let top = 0; top < height; top += 8) {
    for (let left = 0; left < width; left += 8) {
      readBlock(pixels, { width, height, channels, data }, left, top)
      for (const [i, component] of components.entries()) encodeBlock(pixels[i]!, component, bits)
    }
  }
  return bits.finish()
}

/** Sets the samples of a block of eight by eight: brightness, and the two differences of color. */
function readBlock(
  blocks: readonly Float32Array[],
  { width, height, channels, data }: Samples,
  left: number,
  top: number,
) {
  const [luma, blue, red] = blocks
  for (let y = 0; y < 8; y++) {
    const row = Math.min(top + y, height - 1) * width
    for (let x = 0; x < 8; x++) {
      const at = channels * (row + Math.min(left + x, width - 1))
      const i = 8 * y + x
      if (!blue || !red) {
        luma![i] = data[at]! - 128
        continue
      }
      const [r, g, b] = [data[at]!, data[at + 1]!, data[at + 2]!]
      luma![i] = 0.299 * r + 0.587 * g + 0.114 * b - 128
      blue[i] = -0.168736 * r - 0.331264 * g + 0.5 * b
      red[i] = 0.5 * r - 0.418688 * g - 0.081312 * b
    }
  }
}

interface Component {
  /** The divisor of each coefficient, in the order of the block. */
  divisors: Float32Array
  dc: readonly Code[]
  ac: readonly Code[]
  /** The first coefficient of the block before. */
  before: number
}

type Code = readonly [bits: number, length: number]

const componentOf = (kind: 0 | 1, tables: readonly (readonly number[])[]): Component => ({
  // The transform leaves each coefficient eight times as large, apart from its own factors.
  divisors: Float32Array.from(tables[kind]!, (step, i) => step * FACTORS[i >> 3]! * FACTORS[i & 7]! * 8),
  dc: codesOf(DC[kind]),
  ac: codesOf(AC[kind]),
  before: 0,
})

function encodeBlock(block: Float32Array, component: Component, bits: BitWriter): void {
  for (let row = 0; row < 64; row += 8) transform(block, row, 1)
  for (let column = 0; column < 8; column++) transform(block, column, 8)
  const { divisors, dc, ac } = component
  const first = Math.round(block[0]! / divisors[0]!)
  const difference = first - component.before
  component.before = first
  writeNumber(bits, dc, 0, difference)
  let zeros = 0
  for (let i = 1; i < 64; i++) {
    const at = ZIGZAG[i]!
    const value = Math.round(block[at]! / divisors[at]!)
    if (value === 0) {
      zeros++
      continue
    }
    for (; zeros > 15; zeros -= 16) bits.code(ac[0xf0]!)
    writeNumber(bits, ac, zeros << 4, value)
    zeros = 0
  }
  if (zeros > 0) bits.code(ac[0]!)
}

/** A number is how many bits it has, in the code of the table, and then these bits. */
function writeNumber(bits: BitWriter, codes: readonly Code[], run: number, value: number): void {
  const size = 32 - Math.clz32(Math.abs(value))
  bits.code(codes[run | size]!)
  if (size > 0) bits.code([value < 0 ? value + (1 << size) - 1 : value, size])
}

/** The cosine transform of eight samples, by Arai, Agui, and Nakajima. Without arrays, which would take most of the time. */
function transform(block: Float32Array, from: number, step: number): void {
  const v0 = block[from]!
  const v1 = block[from + step]!
  const v2 = block[from + 2 * step]!
  const v3 = block[from + 3 * step]!
  const v4 = block[from + 4 * step]!
  const v5 = block[from + 5 * step]!
  const v6 = block[from + 6 * step]!
  const v7 = block[from + 7 * step]!
  const e0 = v0 + v7 + v3 + v4
  const e3 = v0 + v7 - v3 - v4
  const e1 = v1 + v6 + v2 + v5
  const e2 = v1 + v6 - v2 - v5
  const z1 = (e2 + e3) * Math.SQRT1_2
  const o0 = v3 - v4 + v2 - v5
  const o1 = v2 - v5 + v1 - v6
  const o2 = v1 - v6 + v0 - v7
  const z5 = (o0 - o2) * 0.382683433
  const z2 = 0.5411961 * o0 + z5
  const z4 = 1.306562965 * o2 + z5
  const z3 = o1 * Math.SQRT1_2
  const z11 = v0 - v7 + z3
  const z13 = v0 - v7 - z3
  block[from] = e0 + e1
  block[from + step] = z11 + z4
  block[from + 2 * step] = e3 + z1
  block[from + 3 * step] = z13 - z2
  block[from + 4 * step] = e0 - e1
  block[from + 5 * step] = z13 + z2
  block[from + 6 * step] = e3 - z1
  block[from + 7 * step] = z11 - z4
}

/** The factors by which the transform leaves each row and column too large. */
const FACTORS = [1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.5411961, 0.275899379]

interface BitWriter {
  code(code: Code): void
  bytes(bytes: readonly number[]): void
  finish(): Uint8Array
}

function bitWriter(size: number): BitWriter {
  let out = new Uint8Array(size)
  let [length, kept, count] = [0, 0, 0]
  const put = (byte: number) => {
    if (length === out.length) {
      const larger = new Uint8Array(2 * out.length)
      larger.set(out)
      out = larger
    }
    out[length++] = byte
  }
  const code = ([bits, size]: Code) => {
    kept = (kept << size) | bits
    count += size
    while (count >= 8) {
      count -= 8
      const byte = (kept >> count) & 0xff
      put(byte)
      // A marker begins with this byte, so it is followed by a zero where it is data.
      if (byte === 0xff) put(0)
    }
    kept &= (1 << count) - 1
  }
  return {
    code,
    bytes(bytes) {
      for (const byte of bytes) put(byte)
    },
    finish() {
      if (count > 0) code([(1 << (8 - count)) - 1, 8 - count])
      put(0xff)
      put(0xd9)
      return out.slice(0, length)
    },
  }
}

const word = (value: number) => [value >> 8, value & 0xff]

const segment = (marker: number, bytes: readonly number[]) => [0xff, marker, ...word(bytes.length + 2), ...bytes]

function headers(width: number, height: number, channels: number, tables: readonly (readonly number[])[]): number[] {
  const kinds = channels === 1 ? [0] : [0, 1, 1]
  return [
    0xff,
    0xd8,
    ...segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...tables.flatMap((table, id) => segment(0xdb, [id, ...ZIGZAG.map((at) => table[at]!)])),
    ...segment(0xc0, [
      8,
      ...word(height),
      ...word(width),
      channels,
      ...kinds.flatMap((kind, i) => [i + 1, 0x11, kind]),
    ]),
    ...[DC, AC].flatMap((both, kind) =>
      both.flatMap(({ counts, values }, id) => segment(0xc4, [(kind << 4) | id, ...counts, ...values])),
    ),
    ...segment(0xda, [channels, ...kinds.flatMap((kind, i) => [i + 1, (kind << 4) | kind]), 0, 63, 0]),
  ]
}

const scaled = (table: readonly number[], quality: number): number[] => {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
  return table.map((step) => Math.min(255, Math.max(1, Math.floor((step * percent + 50) / 100))))
}

interface HuffmanTable {
  /** How many codes there are of each length. */
  counts: readonly number[]
  values: readonly number[]
}

/** Returns the codes by the value that is written. */
function codesOf({ counts, values }: HuffmanTable): Code[] {
  const codes: Code[] = []
  let [code, next] = [0, 0]
  for (const [i, count] of counts.entries()) {
    for (let n = 0; n < count; n++) codes[values[next++]!] = [code++, i + 1]
    code <<= 1
  }
  return codes
}

const ZIGZAG = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63,
]

/** Annex K.1: for brightness and for color. */
const QUANTIZATION = [
  [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
    87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103, 99,
  ],
  [
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99,
  ],
] as const

const hex = (digits: string): number[] => [...Buffer.from(digits.replace(/\s/g, ''), 'hex')]

/** Annex K.3. */
const DC: readonly [HuffmanTable, HuffmanTable] = [
  { counts: hex('00010501010101010100000000000000'), values: hex('000102030405060708090a0b') },
  { counts: hex('00030101010101010101010000000000'), values: hex('000102030405060708090a0b') },
]
const AC: readonly [HuffmanTable, HuffmanTable] = [
  {
    counts: hex('0002010303020403050504040000017d'),
    values: hex(`
      01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a
      434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9
      aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa`),
  },
  {
    counts: hex('00020102040403040705040400010277'),
    values: hex(`
      0001020311040521310612415107617113223281081442 91a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a
      434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8
      a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa`),
  },
]
