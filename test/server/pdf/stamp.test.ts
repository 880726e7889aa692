import { expect } from 'chai'
import type { Box } from '../../../lib/pdf/geometry.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { timeIn } from '../../../lib/time-zone.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { aCompletion, aField } from '../../support/pdf/a-completion.ts'
import { aPdf, type PageOptions } from '../../support/pdf/a-pdf.ts'
import { aPng } from '../../support/pdf/a-png.ts'
import { locateIn } from '../../support/pdf/locate-in.ts'
import { renderPage } from '../../support/seen/render-page.ts'

type Values = Record<number, string | boolean>

async function completed(pdf: Uint8Array, fields: Field[], values: Values = {}, signatureImage?: Uint8Array) {
  const completion = await aCompletion({ fields, values, signatureImage: signatureImage ?? null })
  const result = await completeDocument(pdf, completion)
  if (!result.ok) throw new Error(result.problem)
  return result.pdf
}

const isInside = (inner: Box, outer: Box, slack = 0.75) =>
  inner.left >= outer.left - slack &&
  inner.top >= outer.top - slack &&
  inner.right <= outer.right + slack &&
  inner.bottom <= outer.bottom + slack

describe('a stamp', () => {
  const crop: [number, number, number, number] = [36, 40, 500, 700]
  const pages: Record<string, PageOptions> = {}
  for (const rotate of [0, 90, 180, 270]) {
    pages[`a page turned by ${rotate} degrees`] = { rotate }
    pages[`a cropped page turned by ${rotate} degrees`] = { rotate, crop }
  }
  pages['a page with an origin of its own'] = { media: [-200, -300, 612, 792] }
  pages['a page whose content leaves its state behind'] = { content: '0.5 0 0 0.5 30 30 cm 1 0 0 rg' }

  const fields: Field[] = [
    aField({ box: { left: 60, top: 50, right: 240, bottom: 86 } }),
    aField({ type: 'DateSigned', box: { left: 60, top: 120, right: 150, bottom: 134 } }),
    aField({ type: 'TextArea', box: { left: 60, top: 160, right: 260, bottom: 200 } }),
    aField({ type: 'CheckBox', box: { left: 60, top: 230, right: 72, bottom: 242 } }),
  ]
  const values = { 2: 'Counselled on wound care.\nFollow-up in two weeks.', 3: true }

  for (const [name, page] of Object.entries(pages)) {
    it(`lands in its box on ${name}`, async () => {
      const blank = await aPdf(page)
      expect((await renderPage(blank, 1)).inkBox()).to.equal(null)
      const stamped = await renderPage(await completed(blank, fields, values), 1)
      for (const { type, box } of fields) {
        // The boxes are 24 points and more apart: with this margin all of a stamp is seen, and nothing of its neighbours.
        const region = { left: 0, top: box.top - 10, right: 2000, bottom: box.bottom + 10 }
        const ink = stamped.inkBox(region)!
        expect(isInside(ink, box), `${type} at ${JSON.stringify(ink)}`).to.equal(true)
        // Upright, it fills its box from the left: a signature most of its height, a text from its top.
        expect(ink.left - box.left, type).to.be.within(-0.75, 3.5)
        if (type === 'VisibleSignature') expect(ink.bottom - ink.top).to.be.greaterThan(30)
        if (type === 'TextArea') expect(ink.top - box.top).to.be.lessThan(6)
      }
      const all = { left: 60, top: 50, right: 260, bottom: 242 }
      expect(isInside(stamped.inkBox()!, all), 'no ink anywhere else').to.equal(true)
    })
  }

  it('reads upright on a turned page', async () => {
    const pdf = await completed(await aPdf({ rotate: 90 }), [fields[2]!], { 0: 'Upright text' })
    const [hit] = await locateIn(pdf, 'Upright text')
    expect(hit!.box.right - hit!.box.left).to.be.greaterThan(3 * (hit!.box.bottom - hit!.box.top))
    expect(hit!.box.left).to.be.closeTo(62, 1)
  })

  it('leaves the text of the sender where it was', async () => {
    const token = '{SVC-signature-owner1}'
    const original = await aPdf({ content: `BT /F1 12 Tf 100 700 Td (${token}) Tj ET` })
    const [before] = await locateIn(original, token)
    const pdf = await completed(original, [aField({ box: { left: 100, top: 80, right: 280, bottom: 116 } })])
    expect(await locateIn(pdf, token)).to.deep.equal([before])
  })

  it('writes any Latin name, in either form, and says when and how it was signed', async () => {
    for (const name of ['Łukasz Nguyễn', 'Łukasz Nguyễn'.normalize('NFD'), 'Đặng Thị Mỹ Ștefănescu']) {
      const completion = await aCompletion({ signer: { name, npi: '9999900019', organization: null } })
      const result = await completeDocument(await aPdf({}), completion)
      if (!result.ok) throw new Error(result.problem)
      const [hit] = await locateIn(result.pdf, name.normalize('NFC'))
      expect(hit?.page, name).to.equal(1)
      expect(isInside(hit!.box, aField().box, 3)).to.equal(true)
      expect(await locateIn(result.pdf, 'Electronically signed · 2026-01-15')).to.have.lengthOf(1)
    }
  })

  it('is refused where no font has a character, instead of showing a mark or an empty box', async () => {
    const completion = await aCompletion({ signer: { name: 'க Lee', npi: '9999900019', organization: null } })
    const result = await completeDocument(await aPdf({}), completion)
    expect(result).to.include({ ok: false })
  })

  const odd = [
    'שלום עולם',
    'مرحبا بالعالم',
    'Привет, мир',
    'ﬁne ½ x² ™',
    '\u00ad\u200b',
    '😀 ok',
    'A\u0000B\tC',
    'q\u0323\u0307',
  ]
  for (const text of odd) {
    it(`completes with ${JSON.stringify(text)} in a text and as a name`, async () => {
      const signer = { name: text, npi: '9999900019', organization: text }
      const completion = await aCompletion({ fields: [fields[0]!, fields[2]!], values: { 1: text }, signer })
      expect((await completeDocument(await aPdf({}), completion)).ok).to.equal(true)
    })
  }

  it('prints the date in the time zone of the signer', async () => {
    for (const [timeZone, date] of [
      ['UTC', '2026-01-15'],
      ['Pacific/Kiritimati', '2026-01-16'],
    ] as const) {
      const completion = await aCompletion({ fields: [fields[1]!, fields[0]!], timeZone })
      const result = await completeDocument(await aPdf({}), completion)
      if (!result.ok) throw new Error(result.problem)
      const onPage = async (text: string, wanted: number) =>
        (await locateIn(result.pdf, text)).filter(({ page }) => page === wanted).length
      const time = timeIn(timeZone, completion.signedAt)
      expect([await onPage(date, 1), (await onPage(time, 2)) > 0]).to.deep.equal([2, true])
    }
  })

  it('falls back to the pre-filled text, and shows nothing for an empty one', async () => {
    const field = aField({ type: 'TextArea', box: fields[2]!.box, value: 'As discussed' })
    const blank = await aPdf({})
    const found = await locateIn(await completed(blank, [field]), 'As discussed')
    expect(found.map(({ page }) => page)).to.deep.equal([1, 2])
    expect(await locateIn(await completed(blank, [field], { 0: 'Changed' }), 'As discussed')).to.have.lengthOf(0)
    const emptied = await renderPage(await completed(blank, [field], { 0: '' }), 1)
    expect(emptied.inkBox()).to.equal(null)
  })

  it('shrinks a long text of the sender until all of it is inside', async () => {
    const value = Array.from({ length: 120 }, (_, i) => `word${i}`).join(' ')
    const pdf = await completed(await aPdf({}), [{ ...fields[2]!, value }])
    expect(isInside((await renderPage(pdf, 1)).inkBox()!, fields[2]!.box)).to.equal(true)
    expect(await locateIn(pdf, 'word119')).to.have.lengthOf(1)
  })

  it('ticks a box only when it is checked', async () => {
    const box = fields[3]!.box
    const middle = { left: box.left + 2, top: box.top + 2, right: box.right - 2, bottom: box.bottom - 2 }
    const checked = await renderPage(await completed(await aPdf({}), [fields[3]!], { 0: true }), 1)
    const unchecked = await renderPage(await completed(await aPdf({}), [fields[3]!]), 1)
    expect(checked.inkBox(middle)).to.not.equal(null)
    expect(unchecked.inkBox(middle)).to.equal(null)
    expect(unchecked.inkBox(box)).to.not.equal(null)
  })

  it('shows a drawn signature in its proportions, with the name below', async () => {
    const [blank, field] = [await aPdf({}), fields[0]!]
    const pdf = await completed(blank, [field], {}, aPng(300, 60, [200, 30, 30]))
    const picture = await renderPage(pdf, 1)
    expect(isInside(picture.inkBox()!, field.box)).to.equal(true)
    // 36 points high, of which 70 % are for the image: 126 × 25.2 points.
    const [red, green] = picture.colorAt(field.box.left + 100, field.box.top + 12)
    expect(red).to.be.greaterThan(150)
    expect(green).to.be.lessThan(80)
    expect(picture.colorAt(field.box.left + 150, field.box.top + 12)).to.deep.equal([255, 255, 255])
    expect(await locateIn(pdf, 'Electronically signed by Dr. Łukasz Nguyễn')).to.have.lengthOf(1)
  })

  it('is refused when the drawn signature is no picture, or far too large', async () => {
    for (const [image, problem] of [
      [new Uint8Array([1, 2, 3]), 'the drawn signature is not a PNG image'],
      [aPng(300, 60, [0, 0, 0], { claimedWidth: 600_000 }), /more than \d+ pixels/],
      [aPng(300, 60, [0, 0, 0]).subarray(0, 60), 'the drawn signature cannot be read: it is not a complete PNG image'],
    ] as const) {
      const result = await completeDocument(await aPdf({}), await aCompletion({ signatureImage: image }))
      expect(result.ok).to.equal(false)
      if (!result.ok)
        expect(result.problem).to.match(typeof problem === 'string' ? new RegExp(`^${problem}$`) : problem)
    }
  })
})
