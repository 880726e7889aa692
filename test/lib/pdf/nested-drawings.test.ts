import { expect } from 'chai'
import { type PDFContext, PDFDocument, PDFName, type PDFRef } from 'pdf-lib'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { nestedDrawingsProblem } from '../../../lib/pdf/guard/nested-drawings.ts'
import { inspectPdf } from '../../../lib/pdf/guard/source.ts'
import { fixture, fixtureNames } from '../../support/fixtures.ts'
import { workOfThread } from '../../support/load/work-of-thread.ts'

const limits = { ...defaultLimits, maxNestedDrawings: 1_000 }
const PROBLEM = 'draws parts of its pages inside each other more than 1000 times; print it to PDF again'

/** A page with a form that draws the next as often as the first count says, and so on. */
async function aDocumentWithForms(counts: readonly number[], { name = 'X', isCompressed = false } = {}) {
  const doc = await PDFDocument.create()
  const innermost = addForm(doc.context, '0 0 9 9 re f', {}, isCompressed)
  const outermost = counts.reduceRight<PDFRef>((inner, count) => {
    return addForm(doc.context, `/${name} Do\n`.repeat(count), { [name]: inner }, isCompressed)
  }, innermost)
  doc.addPage().node.setXObject(PDFName.of('X'), outermost)
  return doc
}

function addForm(context: PDFContext, content: string, nested: Record<string, PDFRef>, isCompressed: boolean): PDFRef {
  const objects = context.obj({})
  for (const [name, ref] of Object.entries(nested)) objects.set(PDFName.of(name), ref)
  const dict = { Subtype: 'Form', BBox: [0, 0, 9, 9], Resources: context.obj({ XObject: objects }) }
  return context.register(isCompressed ? context.flateStream(content, dict) : context.stream(content, dict))
}

/** As a service gets it, after it was written and read again. */
const problemOf = async (doc: PDFDocument) =>
  nestedDrawingsProblem(await PDFDocument.load(await doc.save({ useObjectStreams: false })), limits)

describe('forms that draw each other', () => {
  it('may do so up to the limit, counted through all levels', async () => {
    // 30 × (1 + 30) = 930, and 31 × (1 + 32) = 1,023.
    expect(await problemOf(await aDocumentWithForms([30, 30]))).to.equal(null)
    expect(await problemOf(await aDocumentWithForms([31, 32]))).to.equal(PROBLEM)
  })

  it('are counted in compressed content and under escaped names', async () => {
    expect(await problemOf(await aDocumentWithForms([31, 32], { isCompressed: true }))).to.equal(PROBLEM)
    expect(await problemOf(await aDocumentWithForms([31, 32], { name: 'A#42' }))).to.equal(PROBLEM)
  })

  it('may lead back to themselves, where readers stop', async () => {
    const doc = await PDFDocument.create()
    const own = doc.context.nextRef()
    const objects = doc.context.obj({})
    objects.set(PDFName.of('X'), own)
    const dict = { Subtype: 'Form', BBox: [0, 0, 9, 9], Resources: doc.context.obj({ XObject: objects }) }
    doc.context.assign(own, doc.context.stream('/X Do /X Do', dict))
    doc.addPage().node.setXObject(PDFName.of('X'), own)
    expect(await problemOf(doc)).to.equal(null)
  })

  it('are refused within a moment when billions of drawings would come of them', async () => {
    const work = workOfThread()
    const inspected = await inspectPdf(fixture('pdf/hostile/xobject_laughs.pdf'), defaultLimits)
    expect(inspected).to.deep.include({
      ok: false,
      problem: 'draws parts of its pages inside each other more than 20000 times; print it to PDF again',
    })
    expect(work()).to.be.lessThan(1_000)
  })

  it('stay far below the limit in the documents of every producer', async () => {
    const few = { ...defaultLimits, maxNestedDrawings: 100 }
    for (const name of [...fixtureNames('pdf/orders'), ...fixtureNames('pdf/producers')]) {
      expect(nestedDrawingsProblem(await PDFDocument.load(fixture(name)), few), name).to.equal(null)
    }
  })
})
