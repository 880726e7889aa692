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
        expect(
          frames.map((frame) => frame.kind === 'message' && Buffer.from(frame.bytes).toString('hex')),
        ).to.deep.equal(messages.map((bytes) => Buffer.from(bytes).toString('hex')))
        expect(reader.isWithin).to.equal(false)
      }),
    )
  })

  const rows: [what: string, chunks: string[], frames: string[]][] = [
    ['two in a chunk', ['\x0bone\x1c\r\x0btwo\x1c\r'], ['one', 'two']],
    ['one in pieces', ['\x0bo', 'n', 'e', '\x1c', '\r'], ['one']],
    ['an end without its carriage return', ['\x0bone\x1c\x0btwo\x1c\r'], ['one', 'two']],
    ['line ends between', ['\r\n\x0bone\x1c\r\n\r\n\x0btwo\x1c\r'], ['one', 'two']],
    ['junk before', ['GET / HTTP/1.1\r\n\x0bone\x1c\r'], ['junk', 'one']],
    ['one that was given up', ['\x0bon\x0bone\x1c\r'], ['cut', 'one']],
    ['an empty one', ['\x0b\x1c\r'], ['']],
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
})
