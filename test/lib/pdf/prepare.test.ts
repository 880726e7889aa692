import { expect } from 'chai'
import { PDFArray, PDFDict, PDFDocument, PDFString } from 'pdf-lib'
import { defaultActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import { preparePdf } from '../../../lib/pdf/prepare/prepare.ts'
import { fixture, fixtureNames } from '../../support/fixtures.ts'
import { aDocument } from '../../support/pdf/a-pdf.ts'
import { annotated, key, prepare, problemOf, RED, type SampleAnnotation, save } from '../../support/pdf/prepared.ts'
import { signedByOthers } from '../../support/sealed/signed-by-others.ts'

describe('preparing a document', () => {
  it('leaves one that needs nothing byte for byte as it came', async () => {
    for (const name of [...fixtureNames('pdf/orders'), ...fixtureNames('pdf/producers')]) {
      const { isAsItCame, preparations } = await prepare(fixture(name))
      expect({ name, isAsItCame, preparations }).to.deep.equal({ name, isAsItCame: true, preparations: [] })
    }
  })

  it('removes an encryption that asks for no password, and nothing else', async () => {
    const { preparations, pdf } = await prepare(fixture('pdf/encrypted-owner.pdf'))
    expect(preparations).to.deep.equal(['decrypted'])
    expect((await prepare(pdf)).isAsItCame).to.equal(true)
  })

  it('begins with the header, without what came before it', async () => {
    const order = fixture('pdf/orders/ghostscript-order.pdf')
    const { preparations, pdf } = await prepare(new Uint8Array(Buffer.concat([Buffer.from('%junk\n'), order])))
    expect(preparations).to.deep.equal(['leadingBytesRemoved'])
    expect(Buffer.from(order).equals(pdf)).to.equal(true)
  })

  describe('with a form', () => {
    const forms = fixtureNames('pdf/forms').filter((name) => name.endsWith('.pdf'))
    for (const name of forms) {
      it(`leaves no field of ${name}, and nothing to do a second time`, async () => {
        const { preparations, pdf } = await prepare(fixture(name))
        expect(preparations).to.deep.equal(['formFlattened'])
        const doc = await PDFDocument.load(pdf, { updateMetadata: false })
        expect(doc.catalog.has(key('AcroForm'))).to.equal(false)
        expect(doc.getPage(0).node.has(key('Annots'))).to.equal(false)
        expect((await prepare(pdf)).isAsItCame).to.equal(true)
      })
    }

    it('refuses one whose fields viewers would draw anew as something else', async () => {
      const problem =
        'has a form whose fields show something else than they hold, so that viewers differ; print it to PDF again'
      expect(await problemOf(fixture('pdf/attacks/needs-appearances.pdf'))).to.equal(problem)
    })

    it('refuses a value that has no appearance, but not an empty field', async () => {
      const field = (value: string) =>
        annotated({ subtype: 'Widget', entries: { FT: 'Tx', T: PDFString.of('dose'), V: PDFString.of(value) } })
      const problem = 'has a filled-in form field without an appearance, so that viewers differ; print it to PDF again'
      expect(await problemOf(await save(await field('5 mg')))).to.equal(problem)
      expect((await prepare(await save(await field(' \n')))).preparations).to.deep.equal(['formFlattened'])
    })

    it('refuses an open list without an appearance, whose entries viewers draw', async () => {
      const list = (entries: string[], flags: number) =>
        annotated({
          subtype: 'Widget',
          entries: { FT: 'Ch', Ff: flags, T: PDFString.of('dose'), Opt: entries.map((entry) => PDFString.of(entry)) },
        })
      const COMBO = 1 << 17
      expect(await problemOf(await save(await list(['5 mg', '500 mg'], 0)))).to.contain('without an appearance')
      for (const empty of [await list([], 0), await list(['5 mg', '500 mg'], COMBO)])
        expect((await prepare(await save(empty))).preparations).to.deep.equal(['formFlattened'])
    })

    it('refuses an open list that is to be drawn anew, whether an entry is chosen or not', async () => {
      const doc = await PDFDocument.load(fixture('pdf/forms/pdf-lib-form-need-appearances.pdf'))
      const field = doc.getForm().getField('frequency').acroField.dict
      field.set(key('Opt'), doc.context.obj([PDFString.of('Twice daily')]))
      field.set(key('Ff'), doc.context.obj(0))
      field.delete(key('V'))
      expect(await problemOf(await save(doc))).to.contain('something else than they hold')
    })

    it('takes comb, line breaks and white space for what they are, and a choice for its words', async () => {
      const doc = await PDFDocument.load(fixture('pdf/forms/pdf-lib-form-need-appearances.pdf'))
      const field = doc.getForm().getField('frequency').acroField.dict
      field.set(key('Opt'), doc.context.obj([[PDFString.of('2'), PDFString.of('Twice daily')]]))
      field.set(key('V'), PDFString.of('2'))
      expect((await prepare(await save(doc))).preparations).to.deep.equal(['formFlattened'])
      field.set(key('V'), PDFString.of('1'))
      expect(await problemOf(await save(doc))).to.contain('something else than they hold')
    })

    it('refuses a box that is to be drawn anew in another state', async () => {
      const doc = await PDFDocument.load(fixture('pdf/forms/pdf-lib-form-need-appearances.pdf'))
      doc.getForm().getCheckBox('oral').acroField.getWidgets()[0]!.dict.set(key('AS'), key('Off'))
      expect(await problemOf(await save(doc))).to.contain('something else than they hold')
    })

    it('omits the frame that PDFium alone draws for a small box that is off, and nothing larger', async () => {
      const redrawn = async (side: number) => {
        const box = {
          FT: 'Btn',
          T: PDFString.of('oral'),
          Rect: [50, 50, 50 + side, 50 + side],
          AP: { N: {} },
          AS: 'Off',
        }
        const prepared = await preparePdf(
          await save(await annotated({ subtype: 'Widget', entries: box })),
          defaultActiveContentPolicy,
        )
        return prepared.ok && prepared.redrawn.flat().length
      }
      expect(await redrawn(20)).to.equal(1)
      expect(await redrawn(200)).to.equal(0)
    })

    it('removes fields that do not show, and says so', async () => {
      const hidden = { subtype: 'Widget', draws: RED, entries: { FT: 'Tx', F: 2, V: PDFString.of('500 mg') } }
      const { preparations, latin } = await prepare(await save(await annotated(hidden)))
      expect(preparations).to.deep.equal(['formFlattened', 'hiddenAnnotationsRemoved'])
      expect(latin).not.to.contain('500 mg').and.not.to.contain(RED)
    })
  })

  describe('with notes and markings', () => {
    const cases: [string, SampleAnnotation, string[], boolean][] = [
      ['a stamp', { subtype: 'Stamp', draws: RED }, ['annotationsFlattened'], true],
      ['free text', { subtype: 'FreeText', draws: RED }, ['annotationsFlattened'], true],
      ['ink', { subtype: 'Ink', draws: RED }, ['annotationsFlattened'], true],
      ['a kind that nobody knows', { subtype: 'Sparkle', draws: RED }, ['annotationsFlattened'], true],
      ['one that is not printed', { subtype: 'Square', draws: RED, entries: { F: 0 } }, ['annotationsFlattened'], true],
      ['a hidden one', { subtype: 'Square', draws: RED, entries: { F: 2 } }, ['hiddenAnnotationsRemoved'], false],
      [
        'one for print only',
        { subtype: 'Square', draws: RED, entries: { F: 36 } },
        ['hiddenAnnotationsRemoved'],
        false,
      ],
      ['a sticky note', { subtype: 'Text', draws: RED }, ['hiddenAnnotationsRemoved'], false],
      ['a note that opens', { subtype: 'Popup' }, ['hiddenAnnotationsRemoved'], false],
      ['a video', { subtype: 'Screen', draws: RED }, ['annotationsFlattened', 'embeddedFilesRemoved'], true],
      [
        'a paper clip',
        { subtype: 'FileAttachment', draws: RED },
        ['hiddenAnnotationsRemoved', 'embeddedFilesRemoved'],
        false,
      ],
    ]
    for (const [what, sample, preparations, isDrawn] of cases) {
      it(`${isDrawn ? 'draws' : 'removes'} ${what}`, async () => {
        const prepared = await prepare(await save(await annotated(sample)))
        expect(prepared.preparations).to.deep.equal(preparations)
        expect(prepared.latin.includes(RED)).to.equal(isDrawn)
        expect(prepared.latin).not.to.contain('/Annots')
      })
    }

    it('refuses a marking that each viewer would draw in its own way', async () => {
      const doc = await annotated({
        subtype: 'Highlight',
        entries: { QuadPoints: [72, 620, 172, 620, 72, 600, 172, 600] },
      })
      expect(await problemOf(await save(doc))).to.equal(
        'has a marking (Highlight) without an appearance of its own, so that viewers differ; print it to PDF again',
      )
    })

    it('keeps plain links, and takes a border off that could strike a word out', async () => {
      const link = { A: { S: 'URI', URI: PDFString.of('https://example.org/') } }
      const plain = { subtype: 'Link', entries: { ...link, Border: [0, 0, 0] } }
      expect((await prepare(await save(await annotated(plain)))).isAsItCame).to.equal(true)
      const { preparations, latin } = await prepare(
        await save(await annotated(plain, { subtype: 'Link', entries: link })),
      )
      expect(preparations).to.deep.equal(['linkBordersRemoved'])
      expect(latin.match(/\/Border \[ 0 0 0 \]/g)).to.have.length(2)
    })
  })
  describe('that somebody has signed', () => {
    const problem = /^is already signed, and has .* without breaking that signature; send it as it was/

    it('leaves every byte of it, its signature field and plain links', async () => {
      const doc = await annotated({ subtype: 'Link', entries: { Border: [0, 0, 0] } })
      expect((await prepare(await signedByOthers(await save(doc)))).isAsItCame).to.equal(true)
    })

    it('refuses what would have to be taken out', async () => {
      const stamped = await save(await annotated({ subtype: 'Stamp', draws: RED }))
      expect(await problemOf(await signedByOthers(stamped))).to.match(problem)
      const scripted = await aDocument({})
      scripted.catalog.set(key('AA'), scripted.context.obj({ WP: { S: 'JavaScript', JS: PDFString.of('x') } }))
      const signed = await signedByOthers(await save(scripted))
      expect(await problemOf(signed)).to.match(problem)
      expect(await problemOf(signed, { javaScript: 'allow' })).to.equal('prepared')
    })

    it('refuses a form that viewers are to draw anew', async () => {
      const doc = await PDFDocument.load(await signedByOthers(await save(await aDocument({}))), {
        updateMetadata: false,
      })
      doc.catalog.lookup(key('AcroForm'), PDFDict).set(key('NeedAppearances'), doc.context.obj(true))
      expect(doc.catalog.lookup(key('AcroForm'), PDFDict).lookup(key('Fields'), PDFArray).size()).to.equal(1)
      expect(await problemOf(await save(doc))).to.match(problem)
    })
  })
})
