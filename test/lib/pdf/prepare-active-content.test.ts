import { expect } from 'chai'
import { PDFDocument, PDFHexString, PDFString } from 'pdf-lib'
import { type ActiveContent, defaultActiveContentPolicy, treatments } from '../../../lib/pdf/prepare/active-content.ts'
import { preparePdf } from '../../../lib/pdf/prepare/prepare.ts'
import { aDocument } from '../../support/pdf/a-pdf.ts'
import { annotate, annotated, key, prepare, problemOf, RED, save } from '../../support/pdf/prepared.ts'

describe('preparing a document with active content', () => {
  const script = { S: 'JavaScript', JS: PDFString.of('app.alert(1)') }
  const web = { S: 'URI', URI: PDFString.of('https://example.org/') }
  const named = (doc: PDFDocument, tree: string, entries: object) =>
    doc.catalog.set(key('Names'), doc.context.obj({ [tree]: { Names: [PDFString.of('a'), entries as never] } }))
  const link = (doc: PDFDocument, action: object) =>
    annotate(doc, doc.getPage(0), [{ subtype: 'Link', entries: { Border: [0, 0, 0], A: action } }])
  const file = { Type: 'Filespec', F: PDFString.of('a.txt'), EF: { F: PDFString.of('CANARY') } }
  const ways: [string, ActiveContent, string, (doc: PDFDocument) => void][] = [
    ['a script of the document', 'javaScript', 'alert', (doc) => named(doc, 'JavaScript', script)],
    ['a script of a link', 'javaScript', 'alert', (doc) => link(doc, script)],
    [
      'a script after a jump',
      'javaScript',
      'alert',
      (doc) => link(doc, { S: 'GoTo', D: PDFString.of('x'), Next: script }),
    ],
    [
      'a link to a script',
      'javaScript',
      'javascript:',
      (doc) => link(doc, { S: 'URI', URI: PDFString.of('javascript:x') }),
    ],
    ['a form that is sent', 'javaScript', 'SubmitForm', (doc) => link(doc, { S: 'SubmitForm', F: PDFString.of('x') })],
    ['a jump into another file', 'javaScript', 'GoToR', (doc) => link(doc, { S: 'GoToR', F: PDFString.of('x') })],
    [
      'an action of a page',
      'javaScript',
      'alert',
      (doc) => doc.getPage(0).node.set(key('AA'), doc.context.obj({ O: script })),
    ],
    [
      'an action on printing',
      'javaScript',
      'alert',
      (doc) => doc.catalog.set(key('AA'), doc.context.obj({ WP: script })),
    ],
    [
      'a web page on opening',
      'openAction',
      'example.org',
      (doc) => doc.catalog.set(key('OpenAction'), doc.context.obj(web)),
    ],
    ['an attached file', 'embeddedFiles', 'CANARY', (doc) => named(doc, 'EmbeddedFiles', file)],
    ['an associated file', 'embeddedFiles', 'CANARY', (doc) => doc.catalog.set(key('AF'), doc.context.obj([file]))],
    [
      'a jump into an attached file',
      'embeddedFiles',
      'GoToE',
      (doc) => link(doc, { S: 'GoToE', D: PDFString.of('x') }),
    ],
    [
      'a collection of files',
      'embeddedFiles',
      'Collection',
      (doc) => doc.catalog.set(key('Collection'), doc.context.obj({})),
    ],
  ]
  for (const [what, kind, trace, add] of ways) {
    it(`strips, refuses or leaves ${what}`, async () => {
      const doc = await aDocument({})
      add(doc)
      const pdf = await save(doc)
      const outcomes = []
      for (const treatment of treatments) {
        const prepared = await preparePdf(pdf, { ...defaultActiveContentPolicy, [kind]: treatment })
        outcomes.push(
          prepared.ok
            ? { preparations: prepared.preparations, has: Buffer.from(prepared.pdf).includes(trace) }
            : prepared.problem.replace(/.*which/, 'which'),
        )
      }
      expect(outcomes).to.deep.equal([
        { preparations: [`${kind}Removed`], has: false },
        'which the settings of the organization refuse; print it to PDF again',
        { preparations: [], has: true },
      ])
    })
  }

  it('removes a script that runs on opening unless both settings allow it', async () => {
    const doc = await aDocument({})
    doc.catalog.set(key('OpenAction'), doc.context.obj(script))
    const pdf = await save(doc)
    expect((await prepare(pdf, { openAction: 'allow' })).latin).not.to.contain('alert')
    expect((await prepare(pdf, { javaScript: 'allow' })).latin).not.to.contain('alert')
    expect((await prepare(pdf, { javaScript: 'allow', openAction: 'allow' })).isAsItCame).to.equal(true)
    expect(await problemOf(pdf, { openAction: 'refuse' })).to.contain('OpenAction')
  })

  it('leaves a place to open at, and a link to one', async () => {
    const doc = await aDocument({})
    doc.catalog.set(key('OpenAction'), doc.context.obj([doc.getPage(0).ref, 'Fit']))
    link(doc, { S: 'GoTo', D: [doc.getPage(0).ref, 'Fit'] })
    expect((await prepare(await save(doc))).isAsItCame).to.equal(true)
  })

  it('refuses scripts of form fields too, and keeps none of them when the form is flattened', async () => {
    const field = { subtype: 'Widget', draws: RED, entries: { FT: 'Tx', AA: { K: script } } }
    const pdf = await save(await annotated(field))
    expect(await problemOf(pdf, { javaScript: 'refuse' })).to.contain('JavaScript')
    expect((await prepare(pdf)).latin).not.to.contain('alert')
  })

  it('keeps nothing that was taken out, nor what an earlier version of the file held', async () => {
    const doc = await aDocument({})
    named(doc, 'JavaScript', script)
    doc.context.register(PDFHexString.fromText('nobody leads here'))
    const { pdf, latin } = await prepare(await save(doc))
    expect(latin).not.to.contain('JavaScript')
    const objects = (await PDFDocument.load(pdf)).context.enumerateIndirectObjects()
    expect(objects.some(([, object]) => object instanceof PDFHexString)).to.equal(false)
  })
})
