import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { type Decoded, decodeAttachment, decodeJsonAttachment } from '../../../lib/pdf/guard/attachment.ts'
import { workOfThread } from '../../support/load/work-of-thread.ts'

const sizeLimit = { maxBytes: 1000 }

const inJson = (text: string) => Buffer.from(JSON.stringify(text).slice(1, -1))

const forms: Record<string, (text: string, limits: { maxBytes: number }) => Decoded> = {
  'as text': decodeAttachment,
  'as it stands in JSON': (text, limits) => decodeJsonAttachment(inJson(text), limits),
}

for (const [form, decode] of Object.entries(forms))
  describe(`a decoded attachment, ${form},`, () => {
    const bytes = Buffer.from('%PDF-1.7 and so on: \u00ff\u0000')

    it('is what was encoded', () => {
      for (const length of [1, 2, 3, 4, 5, 6]) {
        const decoded = decode(bytes.subarray(0, length).toString('base64'), sizeLimit)
        expect(decoded).to.deep.equal({ ok: true, pdf: bytes.subarray(0, length) })
      }
    })

    it('may be wrapped in lines', () => {
      const text = bytes.toString('base64').replace(/(.{8})/g, '$1\r\n')
      expect(decode(`  ${text}\t`, sizeLimit)).to.deep.equal({ ok: true, pdf: bytes })
    })

    const wrong = {
      'a letter outside the alphabet': 'JVBERi0x!w==',
      'the alphabet for URLs': Buffer.from([0xfb, 0xff, 0xfe]).toString('base64url'),
      'no padding': 'JVBERg',
      'too much padding': 'JVBERg===',
      'padding in the middle': 'JVB=ERi0',
      'bits that nothing stands for': 'JVBERh==',
      'a no-break space': 'JVBE\u00a0Ri0x',
      'a data URL': 'data:application/pdf;base64,JVBERi0x',
      'the PDF itself': '%PDF-1.7\n%âãÏÓ',
    }
    for (const [what, text] of Object.entries(wrong)) {
      it(`is refused with ${what}`, () => {
        expect(decode(text, sizeLimit)).to.deep.equal({ ok: false, problem: 'not Base64' })
      })
    }

    it('is refused when it is empty', () => {
      for (const text of ['', ' \n']) expect(decode(text, sizeLimit)).to.deep.equal({ ok: false, problem: 'empty' })
    })

    it('is too large from the first byte above the limit', () => {
      const encoded = (size: number) => Buffer.alloc(size).toString('base64')
      expect(decode(encoded(1000), sizeLimit).ok).to.equal(true)
      for (const size of [1001, 1002, 1003, 5000]) {
        expect(decode(encoded(size), sizeLimit)).to.deep.equal({
          ok: false,
          problem: 'larger than 1000 bytes',
          tooLarge: true,
        })
      }
    })

    it('takes a moment for thirteen million characters, valid or not', () => {
      const text = Buffer.alloc(10_000_000, 7).toString('base64')
      const work = workOfThread()
      expect(decode(text, { maxBytes: 25_000_000 }).ok).to.equal(true)
      expect(decode(`${text}\u00a0`, { maxBytes: 25_000_000 }).ok).to.equal(false)
      expect(work()).to.be.lessThan(1500)
    })
  })

describe('an attachment as it stands in JSON', () => {
  const decode = (json: string) => decodeJsonAttachment(Buffer.from(json), { maxBytes: 25_000_000 })

  it('may escape what it likes', () => {
    const pdf = Buffer.from([0xff, 0xff, 0xff, 0x25])
    expect(decode('////JQ==')).to.deep.equal({ ok: true, pdf })
    expect(decode('\\/\\/\\u002f/JQ=\\u003d')).to.deep.equal({ ok: true, pdf })
  })

  it('is refused when no JSON may look so', () => {
    for (const json of ['JVBERi0x\n', 'JVBE\tRi0x', 'JVBERi0x\\x', 'JVBERi0x\\'])
      expect(decode(json)).to.deep.equal({ ok: false, problem: 'not a JSON string' })
  })

  it('is what was encoded, also when it is long, and refused wherever it is wrong', () => {
    const bytes = randomBytes(3_000_001)
    const text = bytes.toString('base64')
    expect(decode(text)).to.deep.equal({ ok: true, pdf: bytes })
    for (const at of [0, 512 * 1024 - 1, 512 * 1024, text.length - 5])
      expect(decode(`${text.slice(0, at)}!${text.slice(at + 1)}`)).to.deep.equal({ ok: false, problem: 'not Base64' })
  })
})
