/** Changes of a sealed file that know nothing about PDF, or no more than its lines. */
import type { Mutation } from './mutants-of-sealed.ts'
import { gapOf } from './sample.ts'

const spliced = (pdf: Buffer, at: number, removed: number, added: Uint8Array | string) =>
  Buffer.concat([
    pdf.subarray(0, at),
    typeof added === 'string' ? Buffer.from(added, 'latin1') : added,
    pdf.subarray(at + removed),
  ])

const flipped = (pdf: Buffer, bit: number) => {
  const result = Buffer.from(pdf)
  result[bit >> 3]! ^= 1 << (bit & 7)
  return result
}

/** Where a word stands, one of its places. */
function placeOf(pdf: Buffer, word: string, below: (bound: number) => number): number {
  const places: number[] = []
  for (let at = pdf.indexOf(word); at >= 0; at = pdf.indexOf(word, at + 1)) places.push(at)
  return places[below(places.length)] ?? 0
}

const WORDS = ['endobj', '/Type', '/Prev', 'xref', 'trailer', ' obj', '/Contents', '/ByteRange', '/Root', 'stream']
const ENDINGS = ['\n', ' ', '\0', '\r\n', '%', '%%EOF', '\n%%EOF\n', 'startxref\n0\n%%EOF', '\x1a', '0']

export const byteMutations: Record<string, Mutation> = {
  'a bit anywhere': ({ pdf }, { below }) => flipped(pdf, below(pdf.length * 8)),
  'a bit of the signature': ({ pdf }, { below }) => {
    const { gapStart } = gapOf(pdf)
    return flipped(pdf, (gapStart + below(1800)) * 8 + below(8))
  },
  'a bit of the padding': ({ pdf }, { below }) => {
    const { gapStart, gapEnd } = gapOf(pdf)
    return flipped(pdf, gapStart * 8 + below((gapEnd - gapStart) * 8))
  },
  'a bit after the signature': ({ pdf }, { below }) => {
    const { gapEnd } = gapOf(pdf)
    return flipped(pdf, gapEnd * 8 + below((pdf.length - gapEnd) * 8))
  },
  'a bit around the byte range': ({ pdf }, { below }) => {
    const { gapStart } = gapOf(pdf)
    return flipped(pdf, (gapStart - 200) * 8 + below(200 * 8))
  },
  'a byte that is another': ({ pdf }, { below }) => {
    const at = below(pdf.length)
    return spliced(pdf, at, 1, Buffer.from([(pdf[at]! + 1 + below(255)) % 256]))
  },
  'bytes put in': ({ pdf }, { below, bytes }) => spliced(pdf, below(pdf.length), 0, bytes(1 + below(64))),
  'bytes taken out': ({ pdf }, { below }) => spliced(pdf, below(pdf.length - 64), 1 + below(64), ''),
  'bytes moved': ({ pdf }, { below }) => {
    const [at, length] = [below(pdf.length - 200), 1 + below(100)]
    return spliced(spliced(pdf, at, length, ''), below(pdf.length - 200), 0, pdf.subarray(at, at + length))
  },
  'bytes twice': ({ pdf }, { below }) => {
    const at = below(pdf.length - 100)
    return spliced(pdf, at, 0, pdf.subarray(at, at + 1 + below(100)))
  },
  'the end cut off': ({ pdf }, { below }) => pdf.subarray(0, pdf.length - 1 - below(below(2) ? 40 : pdf.length - 1)),
  'something at the end': ({ pdf }, { pick, below, bytes }) =>
    Buffer.concat([pdf, below(3) ? Buffer.from(pick(ENDINGS), 'latin1') : bytes(1 + below(40))]),
  'something before the header': ({ pdf }, { pick, below, bytes }) =>
    Buffer.concat([below(2) ? Buffer.from(pick(ENDINGS), 'latin1') : bytes(1 + below(1000)), pdf]),
  'white space that is another': ({ pdf }, { below, pick }) => {
    const at = placeOf(pdf, pick([' ', '\n']), below)
    return spliced(
      pdf,
      at,
      1,
      pick(['\r', '\t', '\r\n', '  ', '\0', '\f', '%\n'].filter((text) => text !== String.fromCharCode(pdf[at]!))),
    )
  },
  'a word in other letters': ({ pdf }, { below, pick }) => {
    const word = pick(WORDS)
    return spliced(
      pdf,
      placeOf(pdf, word, below),
      word.length,
      pick([word.toUpperCase(), `${word}X`, word.slice(1), '']),
    )
  },
  'a digit that is another': ({ pdf }, { below, pick }) => {
    const at = placeOf(pdf, pick(['0000', '/Prev ', 'startxref\n', '/Root ', '[0 ', ' 0 R', '/Size ']), below)
    const digit = at + pdf.subarray(at, at + 20).findIndex((byte) => byte >= 0x30 && byte <= 0x39)
    return spliced(pdf, digit, 1, String((pdf[digit]! - 0x30 + 1 + below(9)) % 10))
  },
  'two runs exchanged': ({ pdf }, { below }) => {
    const length = 1 + below(60)
    const [one, other] = [below(pdf.length / 2 - 100), Math.floor(pdf.length / 2) + below(pdf.length / 2 - 100)]
    const [a, b] = [pdf.subarray(one, one + length), pdf.subarray(other, other + length)]
    return spliced(spliced(pdf, other, length, a), one, length, b)
  },
}
