import { expect } from 'chai'
import { drawPreview, previewFields } from '../../../lib/pdf/preview.ts'
import { aField } from '../../support/a-completion.ts'
import { aPdf } from '../../support/a-pdf.ts'
import { fixture } from '../../support/fixtures.ts'
import { locateIn } from '../../support/locate-in.ts'
import { renderPage } from '../../support/render-page.ts'

describe('a preview', () => {
  it('shows where the fields will stand', async () => {
    const placed = await previewFields(fixture('pdf/orders/libreoffice-order.pdf'), { type: 'SmartAnnotations' })
    if (!placed.ok) throw new Error(placed.problem)
    expect(placed.fields.map(({ type }) => type).sort()).to.deep.equal([
      'CheckBox',
      'DateSigned',
      'TextArea',
      'VisibleSignature',
    ])
  })

  it('says what is wrong with the document or an annotation', async () => {
    const text = await previewFields(new TextEncoder().encode('hello'), { type: 'SmartAnnotations' })
    expect(text).to.deep.equal({
      ok: false,
      problem: 'document.attachment: not a PDF (no %PDF- header in its first 1,024 bytes)',
    })
    const data = [{ type: 'CheckBox' as const, referenceText: 'Nowhere', offsetX: 0, offsetY: 0 }]
    expect(await previewFields(await aPdf({}), { type: 'ReferenceText', data })).to.deep.equal({
      ok: false,
      problem: 'document.annotations.data[0].referenceText was not found in the text of the PDF',
    })
  })

  for (const rotate of [0, 90]) {
    it(`draws each field, with its number and type, on a page turned by ${rotate} degrees`, async () => {
      const field = aField({ required: true })
      const pdf = await drawPreview(await aPdf({ rotate }), [field])
      const ink = (await renderPage(pdf, 1)).inkBox()!
      expect(ink.left).to.be.closeTo(field.box.left, 1)
      expect(ink.right).to.be.closeTo(field.box.right, 1)
      expect(ink.bottom).to.be.closeTo(field.box.bottom, 1)
      const [label] = await locateIn(pdf, '1 VisibleSignature *')
      expect(label!.box.bottom).to.be.within(field.box.top - 4, field.box.top)
    })
  }

  it('throws for a field on no page of the document', async () => {
    let message = ''
    await drawPreview(await aPdf({}), [aField({ page: 2 })]).catch((error: Error) => {
      message = error.message
    })
    expect(message).to.equal('Field 1 is on page 2; the PDF has 1')
  })
})
