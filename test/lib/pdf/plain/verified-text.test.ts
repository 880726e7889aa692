/** Text for screen readers is given out where it is what the fonts draw, and nowhere else. */
import { expect } from 'chai'
import { PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib'
import { plainProblem } from '../../../../lib/pdf/plain/plain-problem.ts'
import { hasVerifiedText } from '../../../../lib/pdf/plain/verified-text.ts'
import { showPage } from '../../../../server/pdf/draw/shown-page.ts'
import { fixture } from '../../../support/fixtures.ts'
import { type Bodies, order, stream, text, writtenPdf } from '../../../support/pdf/written-pdf.ts'

const load = (pdf: Uint8Array) => PDFDocument.load(pdf, { updateMetadata: false })

/** An order of a browser, whose fonts are composite, with another stream in a part of each font. */
async function changed(key: 'ToUnicode' | 'FontFile2', change: (data: string) => string): Promise<Uint8Array> {
  const doc = await load(fixture('pdf/orders/chromium-order.pdf'))
  for (const [, object] of doc.context.enumerateIndirectObjects()) {
    const value = object instanceof PDFDict ? object.lookup(PDFName.of(key)) : null
    const ref = object instanceof PDFDict ? object.get(PDFName.of(key)) : undefined
    if (!(value instanceof PDFRawStream) || !ref) continue
    const { unpacked } = await import('../../../../lib/pdf/plain/stream.ts')
    const data = Buffer.from(change(unpacked(value, 2 ** 24).toString('latin1')), 'latin1')
    doc.context.assign(ref as never, doc.context.flateStream(data, { Length1: data.length }))
  }
  return doc.save({ useObjectStreams: false })
}

const simple = (entries: string, shown = text('Morphine 5 mg'), more: Bodies = {}) =>
  writtenPdf({
    ...order(),
    4: `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${entries} >>`,
    5: stream(shown),
    ...more,
  }).pdf

const documents: Readonly<
  Record<string, readonly [isVerified: boolean, make: () => Promise<Uint8Array> | Uint8Array]>
> = {
  'of a browser, whose programs have a map of Unicode': [true, () => fixture('pdf/orders/chromium-order.pdf')],
  'of a browser, with another text for its digits': [
    false,
    () => changed('ToUnicode', (map) => map.replace(/(<[0-9A-Fa-f]{4}>)\s*<003[0-9]>/g, '$1 <0020>')),
  ],
  'of a browser, with another text for all letters': [
    false,
    () => changed('ToUnicode', (map) => map.replace(/<00([4-7])([0-9A-Fa-f])>(?=\s*(?:\n|endbf))/g, '<00$1F>')),
  ],
  'of a browser, whose programs have no map': [
    false,
    () => changed('FontFile2', (data) => data.replace('cmap', 'xmap')),
  ],
  'in a standard font': [true, () => simple('/Encoding /WinAnsiEncoding')],
  'in a standard font without an encoding': [true, () => simple('')],
  'with names that say what its letters are': [
    true,
    () => simple('/Encoding << /Differences [53 /five /zero] >>', text('Morphine 56 mg')),
  ],
  'with text that does not show': [
    false,
    () => simple('/Encoding /WinAnsiEncoding', `${text('Morphine 5 mg')} BT /F1 18 Tf 3 Tr 300 700 Td (500) Tj ET`),
  ],
}

describe('the text of a plain page', () => {
  for (const [name, [isVerified, make]] of Object.entries(documents)) {
    it(`is ${isVerified ? 'verified' : 'not reliable'}: ${name}`, async () => {
      const pdf = await make()
      expect(plainProblem(await load(pdf))).to.equal(null)
      expect(hasVerifiedText(await load(pdf), 1)).to.equal(isVerified)
      const shown = await showPage(pdf, { page: 1, width: 500, inked: null, isSigned: false })
      expect(shown.ok && [shown.isTextReliable, shown.lines.length > 0]).to.deep.equal([isVerified, isVerified])
    })
  }
})
