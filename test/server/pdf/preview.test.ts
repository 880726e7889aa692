/** What the signer looks at before signing is what is sealed: the same bytes, and the same pixels of each page. */
import { expect } from 'chai'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { type Picture, withPictures } from '../../../server/pdf/compare/pictures.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import type { Completion } from '../../../server/pdf/completion.ts'
import { inkDocument } from '../../../server/pdf/ink/ink-document.ts'
import { previewInk } from '../../../server/pdf/preview.ts'
import { createPdfPool, type PdfPool } from '../../../server/pdf/workers/pool.ts'
import { fixture } from '../../support/fixtures.ts'
import { aCompletion, aField } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { aPng } from '../../support/pdf/a-png.ts'

const SCALE = 2

const fields: Field[] = [
  aField({ box: { left: 60, top: 50, right: 240, bottom: 86 } }),
  aField({ type: 'DateSigned', box: { left: 60, top: 120, right: 150, bottom: 134 } }),
  aField({ type: 'TextArea', box: { left: 60, top: 160, right: 260, bottom: 200 } }),
  aField({ type: 'CheckBox', box: { left: 60, top: 230, right: 72, bottom: 242 } }),
]
const values = { 2: 'Łukasz’s wound care: Ωμέγα, 50 % less.\nFollow-up in two weeks.', 3: true }
const drawn = aPng(300, 80, [20, 30, 120])

async function previewed(pdf: Uint8Array, ink: Completion): Promise<{ pdf: Uint8Array; sha256: string }> {
  const preview = await previewInk(pdf, ink)
  if (!preview.ok) throw new Error(preview.problem)
  const inked = await inkDocument(pdf, ink)
  expect(inked.sha256).to.equal(preview.sha256)
  return inked
}

async function sealed(pdf: Uint8Array, completion: Completion): Promise<Uint8Array> {
  const completed = await completeDocument(pdf, completion)
  if (!completed.ok) throw new Error(completed.problem)
  return completed.pdf
}

/** How many pixels of the first page of each document differ from those of the first document; Infinity where its size does. */
const differentPixels = (...pdfs: [Uint8Array, ...Uint8Array[]]) =>
  withPictures(pdfs, async (documents) => {
    const [first, ...others] = await Promise.all(documents.map((document) => document.ofPage(1, SCALE)))
    return others.map((other) => {
      if (first!.width !== other.width || first!.height !== other.height) return Infinity
      const [a, b] = [pixelsOf(first!), pixelsOf(other)]
      return a.reduce((count, pixel, at) => (pixel === b[at] ? count : count + 1), 0)
    })
  })

const pixelsOf = ({ data }: Picture) => new Uint32Array(data.slice().buffer)

describe('the preview of the ink', function () {
  this.timeout(60_000)
  const turned = { rotate: 270, crop: [36, 40, 500, 700] as [number, number, number, number] }
  const documents: Record<string, () => Promise<Uint8Array>> = {
    'a turned and cropped page': () => aPdf(turned),
    'a page whose content leaves its state behind': () => aPdf({ content: '0.5 0 0 0.5 30 30 cm 1 0 0 rg' }),
  }
  for (const name of [
    'orders/libreoffice-order',
    'orders/reportlab-crop-order',
    'producers/chromium__crop_rot90',
    'producers/lo_html__gs',
  ])
    documents[name] = async () => fixture(`pdf/${name}.pdf`)

  for (const [index, [name, made]] of Object.entries(documents).entries())
    it(`is sealed byte for byte and pixel by pixel: ${name}`, async () => {
      const pdf = await made()
      const completion = await aCompletion({ fields, values, signatureImage: index % 2 ? drawn : null })
      const preview = await previewed(pdf, completion)
      const signed = await sealed(pdf, { ...completion, previewedSha256: preview.sha256 })
      expect(Buffer.from(signed.subarray(0, preview.pdf.length)).equals(Buffer.from(preview.pdf))).to.equal(true)
      const [unlikeSealed, unlikeBare] = await differentPixels(preview.pdf, signed, pdf)
      expect(unlikeSealed).to.equal(0)
      expect(unlikeBare, 'the ink is seen').to.be.greaterThan(500)
    })

  it('has no signature as long as none was given, and all the rest', async () => {
    const [signature, ...others] = fields as [Field, ...Field[]]
    const pdf = await aPdf({})
    const unsigned = await previewed(pdf, await aCompletion({ fields, values, isSigned: false }))
    const rest = await previewed(pdf, await aCompletion({ fields: others, values: { 1: values[2], 2: true } }))
    expect(await differentPixels(rest.pdf, unsigned.pdf)).to.deep.equal([0])
    const only = await previewed(pdf, await aCompletion({ fields: [signature], isSigned: false }))
    expect(await differentPixels(pdf, only.pdf)).to.deep.equal([0])
  })

  it('is the same all day, and binds what is sealed: other ink is refused', async () => {
    const pdf = await aPdf({})
    const completion = await aCompletion({ fields, values, signedAt: '2026-01-15T14:03:05Z' })
    const { sha256: previewedSha256 } = await previewed(pdf, completion)
    const changes: Partial<Completion>[] = [
      { signedAt: '2026-01-15T23:59:59Z' },
      { signedAt: '2026-01-16T00:00:00Z' },
      { timeZone: 'Pacific/Kiritimati' },
      { values: { ...values, 2: `${values[2]}.` } },
      { signatureImage: drawn },
      { signer: { ...completion.signer, name: 'Ruth Calder DO' } },
    ]
    const outcomes = []
    for (const change of changes) {
      const completed = await completeDocument(pdf, { ...completion, ...change, previewedSha256 })
      outcomes.push(completed.ok ? 'sealed' : completed.isUnlikePreview)
    }
    expect(outcomes).to.deep.equal(['sealed', true, true, true, true, true])
  })

  it('says what is wrong with a drawn signature', async () => {
    const signatureImage = Buffer.from('not a picture, though long enough')
    const problem = 'the drawn signature is not a PNG image'
    expect(await previewInk(await aPdf({}), await aCompletion({ signatureImage }))).to.deep.equal({
      ok: false,
      problem,
    })
  })

  describe('of the pool', () => {
    let pool: PdfPool
    before(() => {
      pool = createPdfPool()
    })
    after(() => pool.close())

    it('is the same from any thread, whatever the thread did before', async () => {
      const large = await aPdf({ content: `0.5 g 50 50 400 400 re f${' '.repeat(2 * 1024 * 1024)}` })
      const completion = await aCompletion({ fields, values })
      await pool.complete(await aPdf({}), await aCompletion({ fields, values: { 2: 'Something else, žluťoučký.' } }))
      const [one, other] = await Promise.all([pool.preview(large, completion), pool.preview(large, completion)])
      if (!one.ok || !other.ok) throw new Error('no preview')
      expect(one.sha256).to.equal(other.sha256)
      const completed = await pool.complete(large, { ...completion, previewedSha256: one.sha256 })
      expect(completed).to.have.property('ok', true)
    })
  })
})
