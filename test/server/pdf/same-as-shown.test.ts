import { expect } from 'chai'
import { PDFDocument, PDFName, rgb, StandardFonts } from 'pdf-lib'
import { withContent } from '../../../lib/pdf/text/content-reader.ts'
import { differenceFromShown } from '../../../server/pdf/compare/same-as-shown.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { type DrawnText, stampFields } from '../../../server/pdf/ink/stamp.ts'
import { fixture } from '../../support/fixtures.ts'
import { aCompletion, aField } from '../../support/pdf/a-completion.ts'
import { aDocument, aPdf } from '../../support/pdf/a-pdf.ts'
import { receivedAsShown } from '../../support/pdf/as-shown.ts'
import { usualReception } from '../../support/pdf/usual-reception.ts'

const line = (text: string, y = 700) => `BT /F1 12 Tf 72 ${y} Td (${text}) Tj ET`
const order = () => aPdf({ content: line('Morphine 5 mg') }, { content: line('Page two') })
const key = (name: string) => PDFName.of(name)

type Stamp = typeof stampFields
type Sabotage = (doc: PDFDocument) => unknown

/** Draws the ink as usual, and does something else besides. */
const sabotaged =
  (sabotage: Sabotage): Stamp =>
  async (doc, ...rest) => {
    const drawn = await stampFields(doc, ...rest)
    await sabotage(doc)
    return drawn
  }

const stream = (doc: PDFDocument, content: string) => doc.context.register(doc.context.stream(content))

/** What a fault or a trick could do to a document between the signer's eyes and the seal. */
const sabotages: Record<string, [Sabotage, RegExp]> = {
  'writes another dose over the first': [
    async (doc) =>
      doc.getPage(0).drawText('500', { x: 130, y: 700, size: 12, font: await doc.embedFont(StandardFonts.Helvetica) }),
    /page 1 looks different/,
  ],
  'covers a word': [
    (doc) => doc.getPage(0).drawRectangle({ x: 72, y: 695, width: 90, height: 20, color: rgb(1, 1, 1) }),
    /page 1 looks different/,
  ],
  'replaces the content of the page': [
    (doc) => doc.getPage(0).node.set(key('Contents'), stream(doc, line('Morphine 500 mg'))),
    /page 1 consists of other things/,
  ],
  'draws under what was there': [
    (doc) => doc.getPage(0).node.wrapContentStreams(stream(doc, '0.9 g 0 0 300 300 re f'), stream(doc, '')),
    /page 1 consists of other things/,
  ],
  'changes a page without ink': [
    (doc) => doc.getPage(1).node.set(key('Contents'), stream(doc, line('Page 2'))),
    /page 2 consists of other things/,
  ],
  'changes a font': [
    (doc) => {
      const fonts = doc.getPage(1).node.Resources()!.lookup(key('Font'))
      Reflect.apply(Reflect.get(fonts!, 'set'), fonts, [
        key('F1'),
        doc.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'ZapfDingbats' }),
      ])
    },
    /consists of other things/,
  ],
  'adds a note': [
    (doc) => {
      const note = {
        Type: 'Annot',
        Subtype: 'Square',
        Rect: [72, 500, 172, 520],
        F: 4,
        AP: { N: doc.context.register(doc.context.stream('0 0 9 9 re f', { BBox: [0, 0, 9, 9] })) },
      }
      doc.getPage(1).node.addAnnot(doc.context.register(doc.context.obj(note)))
    },
    /page 2 consists of other things/,
  ],
  'adds a link': [
    (doc) =>
      doc
        .getPage(1)
        .node.addAnnot(
          doc.context.register(doc.context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [72, 500, 172, 520] })),
        ),
    /page 2 consists of other things/,
  ],
  'turns a page': [(doc) => doc.getPage(1).node.set(key('Rotate'), doc.context.obj(90)), /page 2 has another size/],
  'crops a page': [(doc) => doc.getPage(1).setCropBox(0, 0, 612, 400), /page 2 has another size/],
  'removes a page': [(doc) => doc.removePage(1), /it has other pages|page 2/],
}

describe('a document that would not be sealed as it was shown', () => {
  for (const [what, [sabotage, problem]] of Object.entries(sabotages)) {
    it(`is not sealed when something ${what}`, async () => {
      const result = await completeDocument(await order(), await aCompletion(), { stamp: sabotaged(sabotage) })
      if (result.ok) throw new Error('it was sealed')
      expect(result.notSealed).to.equal('unlikeShown')
      expect(result.problem)
        .to.match(/^it would not be what the signer was shown: /)
        .and.to.match(problem)
    })
  }

  const misplaced: Record<string, (stamp: DrawnText) => Partial<DrawnText>> = {
    'another text than it should': () => ({ text: 'Signed by somebody else' }),
    'its text in another box': ({ box }) => ({ box: { ...box, top: box.top + 300, bottom: box.bottom + 300 } }),
    'its text on another page': ({ page }) => ({ page: page + 1 }),
  }
  for (const [what, change] of Object.entries(misplaced))
    it(`is not sealed when a stamp has ${what}`, async () => {
      const stamp = async (...drawing: Parameters<typeof stampFields>) =>
        (await stampFields(...drawing)).map((drawn) => ({ ...drawn, ...change(drawn) }))
      const result = await completeDocument(await order(), await aCompletion(), { stamp })
      expect(result.ok ? 'sealed' : result.problem).to.match(/^the fields could not be stamped/)
    })

  it('is told from the document itself by a single pixel of a picture', async () => {
    const picture = (grey: number) => {
      const data = Buffer.alloc(400, 200)
      data[44] = grey
      return aDocument({ content: 'q 100 0 0 100 72 600 cm /Im Do Q' }).then((doc) => {
        const dict = {
          Type: 'XObject',
          Subtype: 'Image',
          Width: 20,
          Height: 20,
          ColorSpace: 'DeviceGray',
          BitsPerComponent: 8,
        }
        doc.getPage(0).node.setXObject(key('Im'), doc.context.register(doc.context.stream(data, dict)))
        return doc.save({ useObjectStreams: false })
      })
    }
    const difference = (shown: Uint8Array, pdf: Uint8Array) =>
      withContent(pdf, (content) => differenceFromShown(shown, { pdf, content, boxes: new Map(), addedPages: 0 }))
    expect(await difference(await picture(0), await picture(0))).to.equal(null)
    expect(await difference(await picture(0), await picture(10))).to.equal('page 1 looks different')
  })
})

/** As the service shows and seals it. */
async function receivedAs(pdf: Uint8Array): Promise<Uint8Array> {
  const received = await receivedAsShown(pdf, usualReception)
  if (!received.ok) throw new Error(received.problem)
  return received.pdf
}

describe('content that leaves its state behind', () => {
  const sloppy: Record<string, string> = {
    'saves without a restore': `q 2 0 0 2 100 100 cm ${line('Once', 200)}`,
    'marks that it never ends': `/P << /MCID 0 >> BDC q /X BMC ${line('Once')}`,
    'a clip over everything': `0 0 10 10 re W n ${line('Once')}`,
    'a q in a text, a comment and a name': `(q) pop %q q\n/q gs ${line('(q\\\\)')} <71> q`,
  }
  for (const [what, content] of Object.entries(sloppy)) {
    it(`is signed all the same: ${what}`, async () => {
      const pdf = await receivedAs(await aPdf({ content }))
      const result = await completeDocument(pdf, await aCompletion({ fields: [aField()] }))
      expect(result.ok ? 'sealed' : result.problem).to.equal('sealed')
    })
  }

  it('bears ink on its own page alone, when pages share their content', async () => {
    const doc = await PDFDocument.load(await aPdf({ content: line('One') }, {}), { updateMetadata: false })
    const shared = doc.context.register(doc.context.obj([doc.getPage(0).node.get(key('Contents'))!]))
    for (const page of doc.getPages()) page.node.set(key('Contents'), shared)
    const pdf = await receivedAs(await doc.save({ useObjectStreams: false }))
    const result = await completeDocument(pdf, await aCompletion())
    expect(result.ok ? 'sealed' : result.problem).to.equal('sealed')
  })

  it('is signed with a drawn signature, a text and a tick in one document of many pages', async function () {
    this.timeout(20_000)
    const fields = [aField(), aField({ type: 'CheckBox', box: { left: 300, top: 300, right: 312, bottom: 312 } })]
    const result = await completeDocument(
      fixture('pdf/producers/lo_html.pdf'),
      await aCompletion({ fields, values: { 1: true } }),
    )
    expect(result.ok ? 'sealed' : result.problem).to.equal('sealed')
  })
})
