/** Stamps and seal are updates of a file. Other viewers repair, or cannot open, a file whose update has a table over a stream. */
import { expect } from 'chai'
import { degrees } from 'pdf-lib'
import { readCrossReference } from '../../../lib/pdf/file/cross-reference.ts'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { pageCountInViewer } from '../../../server/pdf/compare/pictures.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { inkDocument } from '../../../server/pdf/ink/ink-document.ts'
import { fixture } from '../../support/fixtures.ts'
import { aCompletion, aField, aSealKey } from '../../support/pdf/a-completion.ts'
import { aDocument } from '../../support/pdf/a-pdf.ts'
import { receivedAsShown } from '../../support/pdf/as-shown.ts'
import { usualReception } from '../../support/pdf/usual-reception.ts'
import { ending, order, stream, writtenPdf } from '../../support/pdf/written-pdf.ts'
import { installed, openingComplaints, pdfsigAnswers, qpdfComplaints } from '../../support/seen/external-checks.ts'

async function rotated(angle: number, useObjectStreams: boolean): Promise<Uint8Array> {
  const doc = await aDocument({ content: '72 700 90 12 re f' })
  doc.getPage(0).setRotation(degrees(angle))
  return doc.save({ useObjectStreams })
}

const turns = [90, 180, 270]
const bases: Record<string, [make: () => Promise<Uint8Array> | Uint8Array, isStream: boolean]> = {
  ...Object.fromEntries(
    turns.map((turn) => [`TeX, turned by ${turn}`, [() => fixture(`pdf/producers/latex_t1__rot${turn}.pdf`), true]]),
  ),
  ...Object.fromEntries(turns.map((turn) => [`objects packed, turned by ${turn}`, [() => rotated(turn, true), true]])),
  linearized: [() => fixture('pdf/producers/latex_t1__lin.pdf'), true],
  'with a table': [() => rotated(90, false), false],
}

async function sealedAs(base: Uint8Array): Promise<Uint8Array> {
  const received = await receivedAsShown(base, usualReception)
  if (!received.ok) throw new Error(received.problem)
  const completed = await completeDocument(received.pdf, await aCompletion({ fields: [aField()] }))
  if (!completed.ok) throw new Error(completed.problem)
  expect(Buffer.from(completed.pdf).subarray(0, base.length).equals(Buffer.from(base))).to.equal(true)
  return completed.pdf
}

/** The table names no object; the stream alongside names itself. */
function hybrid(): Buffer {
  const first = writtenPdf(order())
  const at = first.pdf.length
  const row = String.fromCharCode(1, at >> 8, at & 255, 0)
  const beside = `7 0 obj\n${stream(row, '/Type /XRef /Size 8 /Index [7 1] /W [1 2 1] /Root 1 0 R')}\nendobj\n`
  const file = first.pdf.toString('latin1') + beside
  const trailer = `trailer\n<< /Size 8 /Root 1 0 R /Prev ${first.startxref} /XRefStm ${at} >>\n`
  return Buffer.from(`${file}xref\n0 0\n${trailer}${ending(file.length)}`, 'latin1')
}

async function opensEverywhere(pdf: Uint8Array): Promise<void> {
  expect(verifySealed(pdf, (await aSealKey()).certificatePem).valid).to.equal(true)
  expect(await pageCountInViewer(pdf)).to.be.greaterThan(1)
  for (const [viewer, complaints] of Object.entries(openingComplaints(pdf)))
    expect(complaints, viewer).to.deep.equal([])
  if (installed.qpdf) expect(qpdfComplaints(pdf)).to.deep.equal([])
  if (installed.pdfsig) expect(pdfsigAnswers(pdf)).to.deep.equal([{ isValid: true, isTotal: true }])
}

describe('the cross-references of a sealed document', () => {
  for (const [what, [make, isStream]] of Object.entries(bases))
    it(`are all ${isStream ? 'streams' : 'tables'}, and every viewer opens it as it is: ${what}`, async function () {
      this.timeout(60_000)
      const pdf = await sealedAs(await make())
      const read = readCrossReference(Buffer.from(pdf))
      if (!read.ok) throw new Error(read.problem)
      const { sections, trailer } = read.crossReference
      expect(new Set(sections.map((section) => section.isStream))).to.deep.equal(new Set([isStream]))
      expect(trailer.entries.has('Prev')).to.equal(true)
      await opensEverywhere(pdf)
    })

  it('are tables where the file has tables, one of them with a stream alongside, as Word writes it', async function () {
    this.timeout(60_000)
    const { pdf } = await inkDocument(hybrid(), await aCompletion({ fields: [aField()] }))
    const read = readCrossReference(Buffer.from(pdf))
    if (!read.ok) throw new Error(read.problem)
    const kinds = read.crossReference.sections.map((section) => section.isStream)
    expect(kinds).to.deep.equal([false, false, true, false])
    for (const [viewer, complaints] of Object.entries(openingComplaints(pdf)))
      expect(complaints, viewer).to.deep.equal([])
  })
})
