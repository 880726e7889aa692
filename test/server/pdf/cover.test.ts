/** Ink is readable: no token stands below it, and nothing but tokens gives way. */
import { expect } from 'chai'
import type { Box } from '../../../lib/pdf/geometry.ts'
import { placeInPdf } from '../../../lib/pdf/placement/place-in-pdf.ts'
import { type Field, ownTokens } from '../../../lib/pdf/placement/placement.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { inkDocument } from '../../../server/pdf/ink/ink-document.ts'
import { fixture } from '../../support/fixtures.ts'
import { aCompletion } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { orderPdf } from '../../support/pdf/order-pdf.ts'
import { renderPage } from '../../support/seen/render-page.ts'

async function fieldsOf(pdf: Uint8Array): Promise<Field[]> {
  const placed = await placeInPdf(pdf, { type: 'SmartAnnotations' }, [])
  if (!placed.ok) throw new Error(placed.problem)
  return placed.fields
}

/** A little more than is covered: nothing of a letter is left at its edge. */
const around = ({ left, top, right, bottom }: Box): Box => ({
  left: left - 1,
  top: top - 1,
  right: right + 1,
  bottom: bottom + 1,
})

describe('tokens of a document', function () {
  this.timeout(60_000)

  it('are not seen below the ink, nor beside it', async () => {
    const pdf = await orderPdf()
    // A text field that stays empty shows nothing, so that all that could be left is the token.
    const fields = (await fieldsOf(pdf)).filter(({ type }) => type === 'TextArea')
    const { pdf: inked } = await inkDocument(pdf, await aCompletion({ fields }))
    const [before, after] = [await renderPage(pdf, 1), await renderPage(inked, 1)]
    for (const { type, covers } of fields) {
      expect(covers).to.have.lengthOf(1)
      const token = around(covers![0]!)
      expect(before.inkBox(token), type).not.to.equal(null)
      expect(after.inkBox(token), type).to.equal(null)
    }
    const phrase = { left: 60, top: 90, right: 300, bottom: 110 }
    expect(after.inkBox(phrase), 'the text of the sender').to.deep.equal(before.inkBox(phrase))
  })

  it('are covered on every line of a narrow cell, in documents of several producers, and the result is what was shown', async () => {
    const narrow = 'BT /F1 12 Tf 100 700 Td ({SVC-text-) Tj 0 -14 Td (owner1}) Tj ET'
    const documents = [
      await aPdf({ content: narrow }),
      fixture('pdf/orders/libreoffice-order.pdf'),
      fixture('pdf/orders/reportlab-rot90-order.pdf'),
    ]
    for (const pdf of documents) {
      const fields = await fieldsOf(pdf)
      const completed = await completeDocument(pdf, await aCompletion({ fields }))
      if (!completed.ok) throw new Error(completed.problem)
      const page = await renderPage(completed.pdf, fields[0]!.page)
      for (const { type, covers } of fields)
        if (type === 'TextArea') for (const line of covers!) expect(page.inkBox(around(line))).to.equal(null)
    }
    expect((await fieldsOf(documents[0]!))[0]!.covers).to.have.lengthOf(2)
  })

  it('have their signature end above the line that follows', async () => {
    const fields = await fieldsOf(await orderPdf())
    const of = (type: Field['type']) => fields.find((field) => field.type === type)!.box
    expect(ownTokens).to.have.lengthOf(fields.length)
    expect(of('VisibleSignature').bottom).to.be.at.most(of('DateSigned').top)
    expect(of('DateSigned').bottom).to.be.at.most(of('TextArea').top)
    expect(of('TextArea').bottom).to.be.at.most(of('CheckBox').top)
  })
})
