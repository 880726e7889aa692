/** Drawn documents: what PDFium shows of each page, as a picture of the same size. */
import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import type { Annotations } from '../../../lib/contract/task/annotations.ts'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { drawDocument } from '../../../server/pdf/draw/draw-document.ts'
import { receiveDocument } from '../../../server/pdf/receive.ts'
import { fixture, fixtureNames } from '../../support/fixtures.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { receivedAsShown } from '../../support/pdf/as-shown.ts'
import { ownedWithoutPassword } from '../../support/pdf/owned-without-password.ts'
import { usualReception } from '../../support/pdf/usual-reception.ts'
import { order, stream, text, writtenPdf } from '../../support/pdf/written-pdf.ts'
import { randomFrom } from '../../support/random.ts'
import { installed } from '../../support/seen/external-checks.ts'
import { createPainters, distance, type Painters } from '../../support/seen/pictures.ts'

async function drawn(pdf: Uint8Array) {
  const result = await drawDocument(pdf, defaultLimits)
  if (!result.ok) throw new Error(result.problem)
  return result
}

const draw = (pdf: Uint8Array) => receivedAsShown(pdf, { ...usualReception, documents: 'draw' })

describe('a drawn document', () => {
  let painters: Painters
  before(() => {
    painters = createPainters(installed.pdftoppm)
  })
  after(() => painters.close())

  /** Every viewer shows of the pictures what PDFium shows of the other. One digit more would give 60 and more. */
  async function looksAlike(received: Uint8Array, pdf: Uint8Array): Promise<void> {
    const [wanted] = await painters.others.pdfium!(received)
    for (const [name, paint] of Object.entries({ reader: painters.reader, ...painters.others }))
      expect(distance(wanted!, (await paint(pdf))[0]!, []), name).to.be.lessThan(40)
  }

  for (const name of [
    ...fixtureNames('pdf/orders'),
    ...fixtureNames('pdf/forms').filter((file) => file.endsWith('.pdf')),
  ])
    it(`looks like the one that was received: ${name}`, async function () {
      this.timeout(30_000)
      const { pdf, pages } = await drawn(fixture(name))
      await looksAlike(fixture(name), pdf)
      expect(pdf.length / pages.length).to.be.lessThan(100_000)
    })

  it('has the pages of the other, upright, cropped, and of the same size', async () => {
    const { pdf, pages } = await drawn(await aPdf({ rotate: 90 }, {}))
    expect(pages).to.deep.equal([
      { width: 792, height: 612 },
      { width: 612, height: 792 },
    ])
    const sizes = (await PDFDocument.load(pdf)).getPages().map((page) => [page.getRotation().angle, page.getSize()])
    expect(sizes).to.deep.equal(pages.map((size) => [0, size]))
  })

  it('has a JPEG where its page is a photograph, and colors where it has some', async () => {
    const grain = randomFrom(1).bytes(800 * 1000)
    const shade = (i: number) => 128 + 70 * Math.sin((i % 800) / 12) * Math.cos(i / 7_200)
    const noise = Buffer.from(grain.map((level, i) => shade(i) + (level & 7))).toString('latin1')
    const photograph = writtenPdf({
      ...order(),
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /XObject << /I 6 0 R >> >> >>',
      5: stream('q 612 0 0 792 0 0 cm /I Do Q'),
      6: stream(
        noise,
        '/Type /XObject /Subtype /Image /Width 800 /Height 1000 /ColorSpace /DeviceGray /BitsPerComponent 8',
      ),
    }).pdf
    const filterOf = async (pdf: Uint8Array) =>
      /\/Filter \/(\w+)/.exec(Buffer.from((await drawn(pdf)).pdf).toString('latin1'))![1]
    expect(await filterOf(photograph)).to.equal('DCTDecode')
    await looksAlike(photograph, (await drawn(photograph)).pdf)
    const colored = writtenPdf({ ...order(), 5: stream(`0.8 0.1 0.1 rg ${text('Morphine 5 mg')}`) }).pdf
    await looksAlike(colored, (await drawn(colored)).pdf)
    expect(Buffer.from((await drawn(colored)).pdf).toString('latin1')).to.include('/Indexed')
  })

  for (const [name, pdf] of Object.entries({
    'revision 2': ownedWithoutPassword(2, 'users'),
    'revision 3': ownedWithoutPassword(3, 'a longer password of users'),
    'revision 5': fixture('pdf/encrypted/owner-r5.pdf'),
    'revision 6': fixture('pdf/encrypted/owner-r6.pdf'),
  }))
    it(`is opened by its owner, who has no password: ${name}`, async () => {
      const { pdf: pictures } = await drawn(pdf)
      const [[wanted], [seen]] = [
        await painters.others.pdfium!(writtenPdf(order()).pdf),
        await painters.others.pdfium!(pictures),
      ]
      expect(distance(wanted!, seen!, [])).to.be.below(10)
      const received = await draw(pdf)
      expect(received.ok || received.problem).to.equal(true)
      const usual = await receiveDocument(pdf, usualReception)
      expect(usual.ok || usual.problem).to.equal(true)
    })

  it('may have pages of a few points', async () => {
    const { pages } = await drawn(await aPdf({ size: [3, 5] }))
    expect(pages).to.deep.equal([{ width: 3, height: 5 }])
  })

  it('is refused with its reason: a password, too many pages, no document', async () => {
    const problem = async (pdf: Uint8Array, limits = defaultLimits) => {
      const result = await drawDocument(pdf, limits)
      return result.ok ? 'drawn' : result.problem
    }
    expect(await problem(fixture('pdf/encrypted-user.pdf'))).to.match(/^protected by a password/)
    expect(await problem(await aPdf({}, {}), { ...defaultLimits, maxDrawnPages: 1 })).to.match(
      /^has 2 pages that would have/,
    )
    expect(await problem(new TextEncoder().encode('%PDF-1.7 nothing'))).to.match(
      /^damaged: it cannot be opened or drawn/,
    )
  })
})

describe('the setting of an organization', () => {
  it('has every document drawn, or none', async () => {
    const all = await draw(await aPdf({}))
    expect(all.ok && all.preparations).to.deep.equal(['drawnBySetting'])
    const damaged = fixture('pdf/unusual/contents-with-null.pdf')
    const refused = await receiveDocument(damaged, { ...usualReception, documents: 'refuse' })
    expect(refused.ok ? 'accepted' : refused.problem).to.match(/; print it to PDF again$/)
    const usual = await receiveDocument(damaged, usualReception)
    expect(usual.ok && usual.preparations).to.deep.equal(['drawnForContent'])
  })

  it('refuses active content in a document that would be drawn, too', async () => {
    const policy = { ...usualReception.policy, javaScript: 'refuse' as const }
    const active = writtenPdf({
      ...order(),
      1: '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
      5: stream(`${text('Morphine 5 mg')} /Missing gs`),
    }).pdf
    const refused = await receiveDocument(active, { ...usualReception, policy })
    expect(refused.ok ? 'accepted' : refused.problem).to.match(/settings of the organization refuse/)
    expect((await receiveDocument(active, usualReception)).ok).to.equal(true)
  })
})

describe('fields of a drawn document', () => {
  const json = {
    type: 'Json' as const,
    data: [{ type: 'CheckBox' as const, required: false, pageNumber: 1, left: 10, top: 10, right: 22, bottom: 22 }],
  }
  const beside = {
    type: 'ReferenceText' as const,
    data: [{ type: 'CheckBox' as const, required: false, referenceText: 'Morphine', offsetX: 0, offsetY: 0 }],
  }
  const placed = async (pdf: Uint8Array, annotations: Annotations) => {
    const received = await receiveDocument(pdf, { ...usualReception, wanted: { annotations, origin: 'top-left' } })
    if (!received.ok) throw new Error(received.problem)
    return received.placedEarly!.outcome
  }
  const layered = writtenPdf({
    ...order(),
    1: '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >> >>',
    3: order()[3]!.replace('/Font', '/Properties << /P 6 0 R >> /Font'),
    5: stream(`/OC /P BDC ${text('Morphine 5 mg')} EMC`),
    6: '<< /Type /OCG /Name (L) >>',
  }).pdf

  it('are not looked for in text that may be hidden; places work', async () => {
    const missing = await placed(layered, beside)
    expect(missing.ok ? 'placed' : missing.problem).to.match(
      /^document\.annotations: .* cannot be read reliably; place the fields/,
    )
    expect(await placed(layered, json))
      .to.have.property('fields')
      .with.lengthOf(1)
  })

  it('stand where they would if it were plain', async () => {
    const plain = writtenPdf(order()).pdf
    const odd = writtenPdf({ ...order(), 5: stream(`${text('Morphine 5 mg')} /Missing gs`) }).pdf
    expect(await placed(odd, beside)).to.deep.equal(await placed(plain, beside))
  })
})
