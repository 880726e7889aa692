import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { PDFDict, type PDFDocument, PDFName, PDFString } from 'pdf-lib'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { inspectPdf } from '../../../lib/pdf/guard/source.ts'
import { fixture, fixtureNames } from '../../support/fixtures.ts'
import { aDocument, aPdf } from '../../support/pdf/a-pdf.ts'

describe('an inspected PDF', () => {
  const problemOf = async (pdf: Uint8Array, limits = defaultLimits): Promise<string> => {
    const inspected = await inspectPdf(pdf, limits)
    return inspected.ok ? 'accepted' : inspected.problem
  }

  it('tells the size of its pages as displayed', async () => {
    const pdf = await aPdf({}, { rotate: 90 }, { crop: [36, 40, 540, 700] }, { size: [300, 400], userUnit: 2 })
    expect(await inspectPdf(pdf, defaultLimits)).to.deep.include({
      ok: true,
      pages: [
        { width: 612, height: 792 },
        { width: 792, height: 612 },
        { width: 540, height: 700 },
        { width: 300, height: 400 },
      ],
    })
  })

  it('says how many pages will be read, before they are', async () => {
    const told: number[] = []
    await inspectPdf(await aPdf({}, {}, {}), defaultLimits, (count) => told.push(count))
    expect(told).to.deep.equal([3])
  })

  it('is accepted from every producer we have, and left as it is', async () => {
    for (const name of [...fixtureNames('pdf/orders'), ...fixtureNames('pdf/producers')]) {
      const pdf = fixture(name)
      const before = createHash('sha256').update(pdf).digest('hex')
      expect(await problemOf(pdf), name).to.equal('accepted')
      expect(createHash('sha256').update(pdf).digest('hex'), name).to.equal(before)
    }
  })

  it('may begin late, and may end in anything', async () => {
    const pdf = Buffer.from(await aPdf({}))
    expect(await problemOf(Buffer.concat([Buffer.from('x'.repeat(1000)), pdf, Buffer.from('rest')]))).to.equal(
      'accepted',
    )
  })

  it('is refused when it is something else', async () => {
    const problem = 'not a PDF (no %PDF- header in its first 1,024 bytes)'
    for (const text of ['PK\u0003\u0004', '<html></html>', `${' '.repeat(1024)}%PDF-1.7`]) {
      expect(await problemOf(new TextEncoder().encode(text))).to.equal(problem)
    }
  })

  it('is refused with a password, and accepted when only its owner needs one', async () => {
    expect(await problemOf(fixture('pdf/encrypted-user.pdf'))).to.equal('protected by a password; send it without one')
    expect(await problemOf(fixture('pdf/encrypted-owner.pdf'))).to.equal('accepted')
  })

  it('is refused when it is damaged or has no pages', async () => {
    const whole = await aPdf({ content: 'BT /F1 10 Tf 9 9 Td (x) Tj ET' })
    for (const pdf of [
      new TextEncoder().encode('%PDF-1.7\n'),
      whole.subarray(0, 30),
      Buffer.from(whole).fill(' ', Buffer.from(whole).indexOf('/Pages'), Buffer.from(whole).indexOf('/Pages') + 6),
    ]) {
      expect(await problemOf(pdf)).to.match(/^damaged: /)
    }
    const doc = await aDocument({})
    doc.removePage(0)
    expect(await problemOf(await doc.save({ addDefaultPage: false }))).to.equal('damaged: it has no pages')
  })

  it('is refused with more pages than are allowed', async () => {
    const pdf = await aPdf({}, {}, {})
    expect(await problemOf(pdf, { ...defaultLimits, maxPages: 2 })).to.equal('has 3 pages; at most 2 are accepted')
    expect(await problemOf(pdf, { ...defaultLimits, maxPages: 3 })).to.equal('accepted')
  })

  const withCatalog = async (change: (catalog: PDFDocument['catalog'], context: PDFDocument['context']) => void) => {
    const doc = await aDocument({})
    change(doc.catalog, doc.context)
    return doc.save({ useObjectStreams: false })
  }

  it('is refused when it wants to start a program, wherever that is said', async () => {
    const problem = 'has an action that starts a program; send it without Launch actions'
    const action = { Type: 'Action', S: 'Launch', F: PDFString.of('calc.exe') }
    const atOpening = await withCatalog((catalog, context) => {
      catalog.set(PDFName.of('OpenAction'), context.obj(action))
    })
    const onALink = await withCatalog((catalog, context) => {
      const link = context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 9, 9], A: action })
      const page = catalog.Pages().Kids().lookup(0, PDFDict)
      page.set(PDFName.of('Annots'), context.obj([link]))
    })
    expect(await problemOf(atOpening)).to.equal(problem)
    expect(await problemOf(onALink)).to.equal(problem)
  })

  it('is accepted with a script, which is never run', async () => {
    const pdf = await withCatalog((catalog, context) => {
      catalog.set(PDFName.of('OpenAction'), context.obj({ S: 'JavaScript', JS: PDFString.of('app.alert(1)') }))
    })
    expect(await problemOf(pdf)).to.equal('accepted')
  })

  it('is refused when it is a dynamic XFA form, and accepted when the form also has pages', async () => {
    const xfa = (isDynamic: boolean) =>
      withCatalog((catalog, context) => {
        catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [], XFA: PDFString.of('<xdp/>') }))
        if (isDynamic) catalog.set(PDFName.of('NeedsRendering'), context.obj(true))
      })
    expect(await problemOf(await xfa(true))).to.match(/^is a dynamic XFA form/)
    expect(await problemOf(await xfa(false))).to.equal('accepted')
  })
})
