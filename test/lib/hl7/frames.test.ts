import { expect } from 'chai'
import fc from 'fast-check'
import { createFrameReader, type Frame, framed } from '../../../lib/hl7/mllp/frames.ts'

const LIMIT = 10_000
const said = (frames: Frame[]) =>
  frames.map((frame) => (frame.kind === 'message' ? Buffer.from(frame.bytes).toString('latin1') : frame.kind))
const taken = (...chunks: (string | Uint8Array)[]) => {
  const reader = createFrameReader(LIMIT)
  return said(chunks.flatMap((chunk) => reader.take(Buffer.from(chunk as string, 'latin1'))))
}

describe('The frames of a stream', () => {
  it('are found however the stream is cut', () => {
    const message = fc
      .uint8Array({ maxLength: 40 })
      .map((bytes) => bytes.filter((byte) => byte !== 0x0b && byte !== 0x1c))
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(60)), (messages, cuts) => {
        const stream = Buffer.concat(messages.map(framed))
        const places = [0, ...cuts.map((cut) => cut % stream.length).sort((a, b) => a - b), stream.length]
        const reader = createFrameReader(LIMIT)
        const frames = places.slice(1).flatMap((end, index) => reader.take(stream.subarray(places[index], end)))
        const isBlank = (bytes: Uint8Array) => /^[\t-\r ]*$/.test(Buffer.from(bytes).toString('latin1'))
        expect(
          frames.map((frame) => (frame.kind === 'message' ? Buffer.from(frame.bytes).toString('hex') : frame.kind)),
        ).to.deep.equal(messages.map((bytes) => (isBlank(bytes) ? 'empty' : Buffer.from(bytes).toString('hex'))))
        expect(reader.isWithin).to.equal(false)
      }),
    )
  })

  const rows: [what: string, chunks: string[], frames: string[]][] = [
    ['two in a chunk', ['\x0bone\x1c\r\x0btwo\x1c\r'], ['one', 'two']],
    ['one in pieces', ['\x0bo', 'n', 'e', '\x1c', '\r'], ['one']],
    ['broken by an end without its carriage return', ['\x0bone\x1c\x0btwo\x1c\r'], ['broken']],
    ['broken by such an end, in pieces', ['\x0bone\x1c', 'x', '\x0btwo\x1c\r'], ['broken']],
    ['broken by a line feed in place of the carriage return', ['\x0bone\x1c\n\x0btwo\x1c\r'], ['broken']],
    ['broken by an end twice', ['\x0bone\x1c\x1c\r\x0btwo\x1c\r'], ['broken']],
    ['broken by what a text has within it', ['\x0bone \x1c\x0bsmuggled\r\x1c\r'], ['broken']],
    ['broken while one is too long', [`\x0b${'x'.repeat(LIMIT + 1)}`, '\x0btwo\x1c\r'], ['broken']],
    ['line ends between', ['\r\n\x0bone\x1c\r\n\r\n\x0btwo\x1c\r'], ['one', 'two']],
    ['junk before', ['GET / HTTP/1.1\r\n\x0bone\x1c\r'], ['junk', 'one']],
    ['broken by the start of another', ['\x0bon\x0bone\x1c\r'], ['broken']],
    ['an empty one', ['\x0b\x1c\r\x0bone\x1c\r'], ['empty', 'one']],
    ['one of blanks and line ends', ['\x0b \r', '\n\t\x1c\r'], ['empty']],
    [
      'one that is too long, and the next',
      [`\x0b${'x'.repeat(LIMIT)}`, 'x', 'x\x1c\r\x0bone\x1c\r'],
      ['too long', 'one'],
    ],
    ['one that is as long as may be', [`\x0b${'x'.repeat(LIMIT)}\x1c\r`], ['x'.repeat(LIMIT)]],
  ]
  for (const [what, chunks, frames] of rows) it(`are ${what}`, () => expect(taken(...chunks)).to.deep.equal(frames))

  it('tell how one begins that is too long', () => {
    const [frame] = createFrameReader(LIMIT).take(Buffer.from(`\x0bMSH|${'x'.repeat(LIMIT)}\x1c\r`))
    expect(frame?.kind === 'too long' && Buffer.from(frame.head.subarray(0, 5)).toString()).to.equal('MSH|x')
  })

  it('cost the same, however many starts there are and however finely the stream is cut', () => {
    /** Counts how often a byte is looked at. */
    class Counted extends Uint8Array {
      static looked = 0
      override indexOf(byte: number, from = 0): number {
        const at = super.indexOf(byte, from)
        Counted.looked += (at < 0 ? this.length : at) - from
        return at
      }
    }
    const looked = (chunk: Uint8Array, times: number) => {
      const reader = createFrameReader(LIMIT)
      Counted.looked = 0
      for (let time = 0; time < times; time++) reader.take(chunk)
      return Counted.looked
    }
    expect(
      looked(
        Counted.from({ length: 50_000 }, () => 0x0b),
        4,
      ),
    ).to.be.at.most(2 * 50_000)
    const small = Counted.from(framed(Buffer.from('one')))
    expect(
      looked(
        Counted.from({ length: 10_000 * small.length }, (_, at) => small[at % small.length]!),
        1,
      ),
    ).to.be.at.most(3 * 10_000 * small.length)
    expect(looked(Counted.of(0x41), 50_000)).to.be.at.most(2 * 50_000)
  })

  it('that come byte by byte take no more memory than twice their length', () => {
    const reader = createFrameReader(1_000_000)
    reader.take(Uint8Array.of(0x0b))
    for (let count = 1; count <= 100_000; count++) reader.take(Uint8Array.of(0x41))
    expect(reader.size).to.be.at.most(200_000)
  })

  it('are not made of a message that has a byte of frames', () => {
    for (const byte of ['\x0b', '\x1c']) expect(() => framed(Buffer.from(`MSH|${byte}`))).to.throw(RangeError, '0x')
  })
})
