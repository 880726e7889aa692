/** The preview node in a real Node-RED: where fields will stand, without any service. */
import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { flow, operation } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { base64, orderPdf, PHRASE } from '../support/pdf/order-pdf.ts'

const typed = (type: string, value: string) => ({ type, value })
const form = { attachment: 'payload', attachmentType: 'msg', attachmentForm: 'data', annotationsType: 'msg' }

describe('the preview node', function () {
  this.timeout(30_000)
  let red: NodeRed
  let payload: string

  before(async () => {
    payload = base64(await orderPdf())
    red = await aNodeRed()
    await red.deploy(
      flow(
        ...operation('tokens', 'preview', { ...form, placement: 'SmartAnnotations', drawn: true }),
        ...operation('rows', 'preview', {
          ...form,
          version: 1,
          placement: 'ReferenceText',
          annotationSource: 'rows',
          annotations: 'not.there',
          textAnnotations: [
            {
              type: typed('str', 'VisibleSignature'),
              required: typed('bool', 'true'),
              value: typed('str', ''),
              referenceText: typed('str', PHRASE),
              offsetX: typed('num', '120'),
              offsetY: typed('msg', 'down'),
            },
          ],
        }),
        ...operation('beside', 'preview', { ...form, placement: 'ReferenceText', annotations: 'annotations' }),
      ),
    )
  })
  after(() => red?.stop())

  it('gives the fields of the tokens, and the PDF with their boxes', async () => {
    red.inject('tokens', { payload, topic: 'kept' })
    const { fields, payload: drawn, topic } = await red.next('tokens.0')
    const types = (fields as { type: string; page: number }[]).map(({ type, page }) => `${type} ${page}`)
    expect(types).to.deep.equal(['VisibleSignature 1', 'DateSigned 1', 'TextArea 1', 'CheckBox 1'])
    expect(topic).to.equal('kept')
    const bytes = Buffer.from((drawn as { data?: number[] }).data ?? (drawn as Uint8Array))
    expect((await PDFDocument.load(bytes)).getPageCount()).to.equal(1)
    expect(bytes.length).to.be.greaterThan(Buffer.from(payload, 'base64').length)
  })

  it('places next to a text, and leaves the PDF alone unless boxes are wanted', async () => {
    const annotations = [{ type: 'VisibleSignature', referenceText: PHRASE, offsetX: 120, offsetY: 0 }]
    red.inject('beside', { payload, annotations })
    const { fields, payload: kept } = await red.next('beside.0')
    expect((fields as { box: { left: number } }[])[0]!.box.left).to.be.closeTo(72 + 120, 0.1)
    expect(kept).to.equal(payload)
  })

  it('places the rows of the form as it places a list', async () => {
    const annotations = [{ type: 'VisibleSignature', required: true, referenceText: PHRASE, offsetX: 120, offsetY: -8 }]
    red.inject('beside', { payload, annotations })
    const { fields } = await red.next('beside.0')
    red.inject('rows', { payload, down: '-8' })
    expect((await red.next('rows.0')).fields).to.deep.equal(fields)
    red.inject('rows', { payload, down: 'low' })
    expect((await red.next('caught')).errors).to.deep.equal([
      'document.annotations.data[0].offsetY: a number (Offset Y: from msg.down)',
    ])
  })

  it('says what is wrong, and never quotes the document', async () => {
    const annotations = [{ type: 'VisibleSignature', referenceText: 'Canary', offsetX: 0, offsetY: 0 }]
    red.inject('beside', { payload, annotations })
    const missing = await red.next('caught')
    expect(missing.error).to.include({ code: 'INVALID_INPUT' })
    expect(missing.errors).to.deep.equal([
      'document.annotations.data[0].referenceText was not found in the text of the PDF (List: from msg.annotations[0].referenceText)',
    ])

    red.inject('beside', { payload, annotations: [{ type: 'VisibleSignature' }] })
    const malformed = await red.next('caught')
    expect(malformed.errors).to.include(
      'document.annotations.data[0].referenceText: required; text of 1 to 255 characters (List: msg.annotations[0].referenceText is empty)',
    )

    red.inject('tokens', { payload: 'aGVsbG8=' })
    expect((await red.next('caught')).errors).to.deep.equal([
      'document.attachment: the value is not a PDF; it must begin with %PDF- (PDF: from msg.payload)',
    ])
  })
})
