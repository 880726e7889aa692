import { deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { withContent } from '../../../lib/pdf/text/content-reader.ts'
import { contentOf, type PageContent } from '../../../lib/pdf/text/page-content.ts'
import { comparedContent } from '../../../lib/pdf/text/same-content.ts'
import { InflateAtOnce } from '../../../server/pdf/workers/inflate-at-once.ts'
import { fixture } from '../../support/fixtures.ts'

async function expanded(...parts: Uint8Array[]): Promise<Buffer> {
  const { readable, writable } = new InflateAtOnce('deflate')
  const writer = writable.getWriter()
  // What fails is told to those who read.
  for (const part of parts) writer.write(part).catch(() => {})
  writer.close().catch(() => {})
  const found: Uint8Array[] = []
  for await (const part of readable) found.push(part)
  return Buffer.concat(found)
}

const failed = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code,
  )

/** Reads the pages, with this class in the place of that of the platform. What was read is there for as long as it is used. */
async function read<T>(pdf: Uint8Array, Inflate: typeof DecompressionStream, use: (pages: PageContent[]) => T) {
  const ofPlatform = globalThis.DecompressionStream
  globalThis.DecompressionStream = Inflate
  try {
    return await withContent(pdf, async (doc) => {
      const pages: PageContent[] = []
      for (let number = 1; number <= doc.numPages; number++) pages.push(await contentOf(await doc.getPage(number)))
      return use(pages)
    })
  } finally {
    globalThis.DecompressionStream = ofPlatform
  }
}

/** Does the reader find the same with either? */
const findsTheSame = (pdf: Uint8Array, A: typeof DecompressionStream, B: typeof DecompressionStream) =>
  read(pdf, A, (pages) => read(pdf, B, (others) => areSame(pages, others)))

function areSame(pages: readonly PageContent[], others: readonly PageContent[]): boolean {
  const isSamePage = (page: PageContent, other: PageContent) => {
    const { isSame, haveSameOverlay } = comparedContent(page, other)
    const isSameList = page.operations.every((one, i) => other.operations[i] && isSame(one, other.operations[i]))
    return isSameList && page.operations.length === other.operations.length && haveSameOverlay()
  }
  expect(pages.every(({ operations }) => operations.length > 0)).to.equal(true)
  return pages.length === others.length && pages.every((page, i) => isSamePage(page, others[i]!))
}

describe('a stream that is expanded at once', () => {
  it('gives what was compressed, in however many parts it came', async () => {
    const text = Buffer.from('Morphine 5 mg '.repeat(10_000))
    const compressed = deflateSync(text)
    expect((await expanded(compressed)).equals(text)).to.equal(true)
    expect((await expanded(compressed.subarray(0, 9), compressed.subarray(9))).equals(text)).to.equal(true)
    expect((await expanded(Buffer.concat([compressed, Buffer.from('\r\n')]))).equals(text)).to.equal(true)
  })

  it('fails where the reader has to look for itself: what is damaged, cut off, too large or in another format', async () => {
    const compressed = deflateSync(Buffer.from('Morphine 5 mg '.repeat(100)))
    const damaged = Buffer.from(compressed)
    damaged[damaged.length - 1]! ^= 1
    expect(await failed(expanded(damaged))).to.equal('Z_DATA_ERROR')
    expect(await failed(expanded(compressed.subarray(0, -8)))).to.equal('Z_BUF_ERROR')
    expect(await failed(expanded(deflateSync(Buffer.alloc(33 * 1024 * 1024))))).to.equal('ERR_BUFFER_TOO_LARGE')
    expect(await failed(expanded(gzipSync(Buffer.from('x'))))).to.equal('Z_DATA_ERROR')
    expect(() => new InflateAtOnce('brotli')).to.throw('not expanded here')
  })

  for (const name of [
    'orders/libreoffice-order',
    'orders/chromium-order',
    'producers/latex_t1',
    'producers/lo_html__gs',
  ])
    it(`lets the reader find the same in ${name}`, async () => {
      const pdf = fixture(`pdf/${name}.pdf`)
      let uses = 0
      class Counted extends InflateAtOnce {
        constructor(format: string) {
          super(format)
          uses++
        }
      }
      expect(await findsTheSame(pdf, Counted, DecompressionStream)).to.equal(true)
      expect(uses, 'uses').to.be.greaterThan(0)
    })

  it('lets the reader find the same where it fails', async () => {
    class Failing extends InflateAtOnce {
      constructor() {
        super('brotli')
      }
    }
    const pdf = fixture('pdf/orders/chromium-order.pdf')
    expect(await findsTheSame(pdf, Failing, DecompressionStream)).to.equal(true)
  })
})
