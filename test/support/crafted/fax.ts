/** Codes a picture as a fax does, each change in a way that is chosen at random of those that are possible. ITU-T T.6. */
import { runCodes } from '../../../lib/pdf/plain/fax-picture.ts'
import type { Random } from '../random.ts'

const CODES = [runCodes(false), runCodes(true)] as const
const VERTICAL: Readonly<Record<number, string>> = {
  [-3]: '0000010',
  [-2]: '000010',
  [-1]: '010',
  0: '1',
  1: '011',
  2: '000011',
  3: '0000011',
}

/** @param rows of pixels, each 1 for black */
export function fax(rows: readonly (readonly number[])[], random: Random): Buffer {
  let bits = ''
  let above: number[] = []
  for (const row of rows) {
    const width = row.length
    const changes = row.flatMap((pixel, i) => (pixel === (row[i - 1] ?? 0) ? [] : [i]))
    let [from, isBlack, isBegun] = [0, 0, false]
    while (from < width) {
      const after = (place: number) => (isBegun ? place > from : place >= from)
      const first = above.findIndex((place, i) => after(place) && i % 2 === isBlack)
      const [b1, b2] = first < 0 ? [width, width] : [above[first]!, above[first + 1] ?? width]
      const own = changes.filter(after)
      const [a1, a2] = [own[0] ?? width, own[1] ?? width]
      if (b2 < a1) {
        bits += '0001'
        from = b2
      } else if (VERTICAL[a1 - b1] !== undefined && random.isSo(0.9)) {
        bits += VERTICAL[a1 - b1]
        from = a1
        isBlack = 1 - isBlack
      } else {
        bits += `001${run(a1 - from, isBlack)}${run(a2 - a1, 1 - isBlack)}`
        from = a2
      }
      isBegun = true
    }
    above = changes
  }
  bits += '000000000001'.repeat(2)
  const bytes = bits.match(/.{1,8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)))
}

function run(length: number, color: number): string {
  let text = ''
  for (let rest = length; ; ) {
    const part = rest < 64 ? rest : Math.min(2_560, rest - (rest % 64))
    text += CODES[color === 1 ? 1 : 0].get(part)
    rest -= part
    if (part < 64) return text
  }
}
