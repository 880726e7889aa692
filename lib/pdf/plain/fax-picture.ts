/**
 * Whether data of a fax is whole and without an error, so that every viewer decodes it alike: each continues after a wrong code in a
 * way of its own. Follows each row and draws nothing. ITU-T T.6; the codes of runs are those of T.4, tables 2 and 3.
 */

interface Run {
  length: number
  bits: number
}

/** By the code with a 1 before it, so that zeros at its beginning count. */
type Runs = ReadonlyMap<number, Run>

const WHITE = `00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101 101010 101011
  0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 00000010 00000011 00011010 00011011
  00010010 00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011 00101100 00101101 00000100 00000101
  00001010 00001011 01010010 01010011 01010100 01010101 00100100 00100101 01011000 01011001 01011010 01011011 01001010 01001011
  00110010 00110011 00110100 | 11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100
  011001101 011010010 011010011 011010100 011010101 011010110 011010111 011011000 011011001 011011010 011011011 010011000
  010011001 010011010 011000 010011011`
const BLACK = `0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 000011000 0000010111
  0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 00000010111 00000011000 000011001010
  000011001011 000011001100 000011001101 000001101000 000001101001 000001101010 000001101011 000011010010 000011010011
  000011010100 000011010101 000011010110 000011010111 000001101100 000001101101 000011011010 000011011011 000001010100
  000001010101 000001010110 000001010111 000001100100 000001100101 000001010010 000001010011 000000100100 000000110111
  000000111000 000000100111 000000101000 000001011000 000001011001 000000101011 000000101100 000001011010 000001100110
  000001100111 | 0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100
  0000001101101 0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011 0000001110100 0000001110101
  0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 0000001010101 0000001011010 0000001011011 0000001100100
  0000001100101`
/** Of both colors, from 1,792 on. */
const LONG = `00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110 000000010111
  000000011100 000000011101 000000011110 000000011111`

/** The codes of runs by their length: up to 63, then each multiple of 64. */
export function runCodes(isBlack: boolean): ReadonlyMap<number, string> {
  const [short, long] = `${isBlack ? BLACK : WHITE} ${LONG}`.split('|').map((part) => part.trim().split(/\s+/)) as [
    string[],
    string[],
  ]
  return new Map([
    ...short.map((code, i) => [i, code] as const),
    ...long.map((code, i) => [64 * (i + 1), code] as const),
  ])
}

const runsOf = (isBlack: boolean): Runs =>
  new Map(
    [...runCodes(isBlack)].map(([length, code]) => [Number.parseInt(`1${code}`, 2), { length, bits: code.length }]),
  )
const RUNS: readonly [Runs, Runs] = [runsOf(false), runsOf(true)]
const LONGEST = 13

/** How far the end of a run is from the one above it, by the code with a 1 before it. */
const VERTICAL: ReadonlyMap<number, number> = new Map(
  [
    ['1', 0],
    ['011', 1],
    ['000011', 2],
    ['0000011', 3],
    ['010', -1],
    ['000010', -2],
    ['0000010', -3],
  ].map(([code, shift]) => [Number.parseInt(`1${code}`, 2), Number(shift)]),
)
const [PASS, HORIZONTAL, END] = [0b1_0001, 0b1_001, 0b1_000000000001]

/** @returns whether the data holds so many rows of so many pixels, and nothing else */
export function isWholeFax(data: Buffer, width: number, height: number): boolean {
  let at = 0
  const bit = () => ((data[at >> 3]! >> (7 - (at & 7))) & 1) as 0 | 1
  /** Returns the next code that is one of these, with a 1 before it; null where there is none. */
  const next = (isKnown: (code: number) => boolean): number | null => {
    let code = 1
    for (let bits = 0; bits < LONGEST && at < 8 * data.length; bits++) {
      code = (code << 1) | bit()
      at++
      if (isKnown(code)) return code
    }
    return null
  }
  /** Returns the length of a run: any number of multiples of 64, then one that is shorter. */
  const run = (runs: Runs): number | null => {
    for (let length = 0; length <= width; ) {
      const code = next((found) => runs.has(found))
      if (code === null) return null
      const part = runs.get(code)!.length
      length += part
      if (part < 64) return length <= width ? length : null
    }
    return null
  }
  const isMode = (code: number) => code === PASS || code === HORIZONTAL || code === END || VERTICAL.has(code)

  /** The places at which the row above changes its color, from white. */
  let above: number[] = []
  for (let row = 0; row < height; row++) {
    const changes: number[] = []
    // Whether something of the row was coded, how far, and in which color it continues.
    let [isBegun, from, isBlack] = [false, 0, false]
    /** How many changes of the row above are not to the right of it. */
    let passed = 0
    while (from < width) {
      const mode = next(isMode)
      if (mode === null || mode === END) return false
      if (mode === HORIZONTAL) {
        const [first, second] = [run(RUNS[isBlack ? 1 : 0]), run(RUNS[isBlack ? 0 : 1])]
        if (first === null || second === null) return false
        const [middle, end] = [from + first, from + first + second]
        // A run without a pixel may only begin a row, or be the second one at its end.
        if ((first === 0 && isBegun) || (second === 0 && middle < width) || end > width) return false
        changes.push(middle, end)
        from = end
      } else {
        while (passed < above.length && (isBegun ? above[passed]! <= from : above[passed]! < from)) passed++
        const index = (passed % 2 === 1) === isBlack ? passed : passed + 1
        const [b1, b2] = [above[index] ?? width, above[index + 1] ?? width]
        if (mode === PASS) {
          from = b2
        } else {
          const end = b1 + VERTICAL.get(mode)!
          if (end < from || end > width || (end === from && isBegun)) return false
          changes.push(end)
          from = end
          isBlack = !isBlack
        }
      }
      isBegun = true
    }
    above = changes.filter((place) => place < width)
  }
  const isEnded = next((code) => code === END) === END && next((code) => code === END) === END
  return isEnded && data.length - Math.ceil(at / 8) <= TRAILING
}

/** Bytes after the end; some producers fill up. */
const TRAILING = 2
