/** A document that bears ink is added to without being opened once more, and that must make no difference to the file. */
import { expect } from 'chai'
import { PDFDict, type PDFDocument, PDFName } from 'pdf-lib'
import { compressFrom } from '../../../server/pdf/ink/compress.ts'
import { inkDocument } from '../../../server/pdf/ink/ink-document.ts'
import { addFurther, openToAdd, writeAdded } from '../../../server/pdf/ink/open-to-add.ts'
import { fixture } from '../../support/fixtures.ts'
import { aCompletion, aField } from '../../support/pdf/a-completion.ts'

/** Adds an object, and changes one that came with the ink. */
function add(doc: PDFDocument): void {
  const objects = doc.context.enumerateIndirectObjects().map(([, object]) => object)
  const font = objects.findLast((object) => object instanceof PDFDict && object.has(PDFName.of('DescendantFonts')))
  doc.addPage([200, 300]).drawRectangle({ x: 10, y: 10, width: 20, height: 20 })
  if (!(font instanceof PDFDict)) throw new Error('The ink has no font')
  font.set(PDFName.of('Changed'), PDFName.of('Yes'))
}

describe('what is added to a document with ink', () => {
  for (const name of [
    'orders/libreoffice-order',
    'producers/chromium__lin',
    'producers/lo_html__mu',
    'forms/pdf-lib-form',
  ])
    it(`has the bytes that it has when the file is opened anew: ${name}`, async () => {
      const ink = await aCompletion({ fields: [aField()] })
      const { pdf, doc } = await inkDocument(fixture(`pdf/${name}.pdf`), ink)
      const anew = await openToAdd(pdf)
      addFurther(doc)
      for (const each of [doc, anew]) add(each)
      const [further, expected] = [await writeAdded(doc), await writeAdded(anew)]
      expect(Buffer.from(further).equals(Buffer.from(expected))).to.equal(true)
      expect(Buffer.from(further).subarray(0, pdf.length).equals(Buffer.from(pdf))).to.equal(true)
      expect(Buffer.from(further.subarray(pdf.length)).toString('latin1')).to.contain('/Changed /Yes')
    })

  it('is compressed by zlib alone, and nothing before it is', async () => {
    const ink = await aCompletion({ fields: [aField()] })
    const { pdf, doc } = await inkDocument(fixture('pdf/orders/libreoffice-order.pdf'), ink)
    addFurther(doc)
    const from = doc.context.largestObjectNumber + 1
    doc.addPage([200, 300]).drawRectangle({ x: 10, y: 10, width: 20, height: 20 })
    compressFrom(doc, from)
    const added = Buffer.from((await writeAdded(doc)).subarray(pdf.length))
    // The second byte tells the level, in which the two differ.
    const starts = [...added.toString('latin1').matchAll(/>>\nstream\n([\s\S]{2})/g)].map(([, start]) => start)
    expect(starts).to.deep.equal(['\x78\x5e'])
    expect(Buffer.from(pdf).toString('latin1')).to.contain('stream\n\x78\x9c')
  })
})
