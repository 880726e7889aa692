import { expect } from 'chai'
import type { Annotations } from '../../../lib/contract/task/document.ts'
import { drawPreview, previewFields } from '../../../lib/pdf/placement/preview.ts'
import { createPdfPool } from '../../../server/pdf/workers/pool.ts'
import { fixture } from '../../support/fixtures.ts'
import { aField } from '../../support/pdf/a-completion.ts'
import { aDocument, aPdf } from '../../support/pdf/a-pdf.ts'
import { activePdf } from '../../support/pdf/active-pdf.ts'
import { locateIn } from '../../support/pdf/locate-in.ts'
import { orderPdf } from '../../support/pdf/order-pdf.ts'
import { renderPage } from '../../support/seen/render-page.ts'

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

  it('finds the tokens of a host, and measures from its origin', async () => {
    const profile = { tokenPrefix: 'ACME', coordinates: { origin: 'bottom-left' } } as const
    const pdf = await orderPdf({ lines: ['Order', '{ACME-date-owner1}', '{SVC-signature-owner1}'] })
    const smart = await previewFields(pdf, { type: 'SmartAnnotations' }, { profile })
    expect(smart.ok && smart.fields.map(({ type }) => type)).to.deep.equal(['DateSigned'])
    const data = [{ type: 'CheckBox', pageNumber: 1, left: 72, right: 84, top: 192, bottom: 180 } as const]
    const json = await previewFields(pdf, { type: 'Json', data }, { profile })
    expect(json.ok && json.fields[0]!.box).to.deep.equal({ left: 72, top: 600, right: 84, bottom: 612 })
    const limited = await previewFields(
      pdf,
      { type: 'SmartAnnotations' },
      { profile: { limits: { attachmentBytes: 9 } } },
    )
    expect(limited.ok).to.equal(false)
  })

  describe('of a document that the service prepares before it places fields', () => {
    const note = 'See the note below'
    const token: Annotations = { type: 'SmartAnnotations' }
    const phrase: Annotations = {
      type: 'ReferenceText',
      data: [{ type: 'CheckBox', referenceText: note, offsetX: 0, offsetY: 0 }],
    }

    /** Its form holds a token; the sign of a note that nobody sees printed holds a phrase. */
    async function prepared(): Promise<Uint8Array> {
      const doc = await aDocument({ content: 'BT /F1 12 Tf 72 700 Td (Order) Tj ET' })
      const page = doc.getPage(0)
      const field = doc.getForm().createTextField('order')
      field.setText('{SVC-signature-owner1}')
      field.addToPage(page, { x: 72, y: 500, width: 300, height: 20 })
      const { context } = doc
      const resources = { Font: { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' } } }
      const entries = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 200, 20], Resources: resources }
      const sign = context.stream(`BT /F1 12 Tf 2 5 Td (${note}) Tj ET`, entries)
      const dict = {
        Type: 'Annot',
        Subtype: 'Text',
        F: 4,
        Rect: [72, 400, 272, 420],
        AP: { N: context.register(sign) },
      }
      page.node.addAnnot(context.register(context.obj(dict)))
      return doc.save({ useObjectStreams: false })
    }

    const asTheServiceDoes = async (pdf: Uint8Array, annotations: Annotations) => {
      const pool = createPdfPool({ threads: 1 })
      try {
        const inspected = await pool.inspect(Buffer.from(pdf).toString('base64'), {
          wanted: { annotations, origin: 'top-left' },
        })
        if (!inspected.ok) return { ok: false, problem: `document.attachment: ${inspected.problem}` }
        return inspected.placedEarly?.outcome
      } finally {
        await pool.close()
      }
    }

    it('finds what stands in forms, and not what will be gone', async () => {
      const pdf = await prepared()
      const placed = await previewFields(pdf, token)
      expect(placed).to.have.property('fields').with.lengthOf(1)
      expect(placed).to.deep.equal(await asTheServiceDoes(pdf, token))
      const gone = await previewFields(pdf, phrase)
      expect(gone).to.have.property('problem').that.includes('was not found')
      expect(gone).to.deep.equal(await asTheServiceDoes(pdf, phrase))
    })

    it('places the same on one that something stands before', async () => {
      const pdf = Buffer.concat([Buffer.from('something\n'), fixture('pdf/orders/reportlab-plain-order.pdf')])
      const placed = await previewFields(new Uint8Array(pdf), token)
      expect(placed).to.have.property('fields')
      expect(placed).to.deep.equal(await asTheServiceDoes(pdf, token))
    })

    it('finds what stands in a document whose pages the service converts to pictures', async () => {
      for (const name of ['form-without-resources', 'split-in-dictionary', 'prev-zero', 'unchecked-box-without-off']) {
        const pdf = fixture(`pdf/unusual/${name}.pdf`)
        const placed = await previewFields(pdf, token)
        expect(placed, name).to.have.property('fields').with.lengthOf(1)
        expect(placed, name).to.deep.equal(await asTheServiceDoes(pdf, token))
      }
    })

    it('says what will be refused', async () => {
      const pdf = fixture('pdf/unusual/portfolio.pdf')
      const told = await previewFields(pdf, token)
      expect(told).to.have.property('problem').that.includes('is a portfolio')
      expect(told).to.deep.equal(await asTheServiceDoes(pdf, token))
      const active = Buffer.from(await activePdf('javaScript'), 'base64')
      const box = { pageNumber: 1, left: 72, top: 72, right: 84, bottom: 84 }
      const annotations: Annotations = { type: 'Json', data: [{ type: 'CheckBox', ...box }] }
      expect(await previewFields(active, annotations)).to.have.property('fields')
      const refused = await previewFields(active, annotations, { activeContent: { javaScript: 'refuse' } })
      expect(refused)
        .to.have.property('problem')
        .that.matches(/^document\.attachment: /)
    })
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
