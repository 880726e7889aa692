/** Changes of a sealed file by somebody who knows the format: further revisions, files in files, other forms and fields. */
import { degrees, PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFNumber, type PDFRef } from 'pdf-lib'
import type { Random } from '../random.ts'
import type { Mutation } from './mutants-of-sealed.ts'
import { orderWith } from './planted-order.ts'
import { cmsOf, gapOf } from './sample.ts'

type Edit = (doc: PDFDocument, random: Random, pdf: Buffer) => void

const appending =
  (edit: Edit): Mutation =>
  async ({ pdf }, random) => {
    const doc = await PDFDocument.load(pdf, { updateMetadata: false, forIncrementalUpdate: true })
    edit(doc, random, pdf)
    return Buffer.from(await doc.commit({ useObjectStreams: random.below(2) === 0 }))
  }

const rewriting =
  (edit: Edit): Mutation =>
  async ({ pdf }, random) => {
    const doc = await PDFDocument.load(pdf, { updateMetadata: false })
    edit(doc, random, pdf)
    return Buffer.from(await doc.save({ useObjectStreams: random.below(2) === 0, updateFieldAppearances: false }))
  }

const name = (text: string) => PDFName.of(text)
const formOf = (doc: PDFDocument) => doc.catalog.lookup(name('AcroForm'), PDFDict)
const fieldsOf = (doc: PDFDocument) => formOf(doc).lookup(name('Fields'), PDFArray)
const ownField = (doc: PDFDocument) => fieldsOf(doc).lookup(fieldsOf(doc).size() - 1, PDFDict)
const signatureOf = (doc: PDFDocument) => ownField(doc).lookup(name('V'), PDFDict)

/** A signature with the genuine CMS, and a byte range of the forger's choice. */
function planted(doc: PDFDocument, { below }: Random, pdf: Buffer): PDFRef {
  const { gapStart, gapEnd } = gapOf(pdf)
  const ranges = [
    [0, gapStart, gapEnd, pdf.length - gapEnd],
    [0, gapStart, gapEnd, 0],
    [0, 0, 0, 0],
    [gapEnd, 0, gapEnd, pdf.length - gapEnd],
    [0, gapStart, gapEnd, -1],
    [0, gapStart],
    [0, pdf.length, pdf.length + 10, 4000],
  ]
  const copy = signatureOf(doc).clone(doc.context)
  copy.set(name('ByteRange'), doc.context.obj(ranges[below(ranges.length)]!))
  copy.set(name('Contents'), PDFHexString.of(below(4) === 0 ? '' : cmsOf(pdf).toString('hex')))
  return doc.context.register(copy)
}

function addField(doc: PDFDocument, value: PDFRef | PDFDict): void {
  const field = doc.context.obj({ FT: 'Sig', Type: 'Annot', Subtype: 'Widget', Rect: [0, 0, 0, 0] }) as PDFDict
  field.set(name('V'), value)
  fieldsOf(doc).push(doc.context.register(field))
}

const edits: Record<string, Edit> = {
  'a page turned': (doc) => doc.getPage(0).setRotation(degrees(90)),
  'text written over a page': (doc, { below }) =>
    doc.getPage(0).drawText('Morphine 500 mg', { x: below(400), y: below(700), size: 18 }),
  'a page removed': (doc) => doc.removePage(0),
  'a page more': (doc) => void doc.addPage().drawText('Morphine 500 mg'),
  'a picture over the page': (doc) => doc.getPage(0).drawRectangle({ x: 0, y: 0, width: 600, height: 700 }),
  'an annotation more': (doc) => {
    const note = { Type: 'Annot', Subtype: 'FreeText', Rect: [10, 10, 300, 80], Contents: name('Morphine'), F: 4 }
    doc.getPage(0).node.addAnnot(doc.context.register(doc.context.obj(note)))
  },
  'a title': (doc) => doc.setTitle('Morphine 500 mg'),
  'a field more': (doc) => void doc.getForm().createTextField('dose').setText('500 mg'),
  'a signature more': (doc, random, pdf) => addField(doc, planted(doc, random, pdf)),
  'another signature in the same field': (doc, random, pdf) => ownField(doc).set(name('V'), planted(doc, random, pdf)),
  'two fields with one signature': (doc) => addField(doc, ownField(doc).get(name('V')) as PDFRef),
  'a form that is another': (doc, random, pdf) => {
    const signature = planted(doc, random, pdf)
    doc.catalog.set(name('AcroForm'), doc.context.register(doc.context.obj({ Fields: [] })))
    if (random.below(2)) addField(doc, signature)
  },
  'no form': (doc) => doc.catalog.delete(name('AcroForm')),
  'a field that is its own child': (doc) => {
    const field = ownField(doc)
    field.set(name('Kids'), doc.context.obj([fieldsOf(doc).get(fieldsOf(doc).size() - 1)]))
  },
  'a field as a child': (doc) => {
    const fields = fieldsOf(doc)
    const own = fields.get(fields.size() - 1)
    fields.set(fields.size() - 1, doc.context.register(doc.context.obj({ Kids: [own], FT: 'Sig' })))
  },
  'a signature without its type': (doc, { pick }) =>
    signatureOf(doc).delete(name(pick(['Type', 'SubFilter', 'Name', 'M']))),
  'a signature without its parts': (doc, { pick }) => signatureOf(doc).delete(name(pick(['Contents', 'ByteRange']))),
  'a range that leaves out': (doc, { below }) => {
    const range = signatureOf(doc).lookup(name('ByteRange'), PDFArray)
    range.set(1 + below(3), PDFNumber.of(below(100_000)))
  },
  'nothing changed': (doc) => doc.catalog.set(name('Lang'), name('en')),
}

const foreign = orderWith('BT /F1 18 Tf 72 700 Td (Morphine 500 mg) Tj ET')

/** Objects by hand, after the file, with a cross-reference of their own. */
function update(pdf: Buffer, objects: Readonly<Record<number, string>>, { below }: Random): Buffer {
  const previous = /startxref\n(\d+)/.exec(pdf.toString('latin1', pdf.length - 40))![1]!
  let text = '\n'
  let rows = ''
  for (const [number, object] of Object.entries(objects)) {
    rows += `${number} 1\n${String(pdf.length + text.length).padStart(10, '0')} 00000 n \n`
    text += `${number} 0 obj\n${object}\nendobj\n`
  }
  const root = /\/Root (\d+ 0 R)/.exec(pdf.toString('latin1', pdf.length - 600))![1]!
  const prev = below(4) === 0 ? '' : `/Prev ${previous}`
  const startxref = pdf.length + text.length
  const trailer = `trailer\n<< /Size 9999 /Root ${root} ${prev} >>\nstartxref\n${below(4) === 0 ? previous : startxref}\n%%EOF`
  return Buffer.concat([pdf, Buffer.from(`${text}xref\n${rows}${trailer}`, 'latin1')])
}

export const structureMutations: Record<string, Mutation> = {
  ...Object.fromEntries(Object.entries(edits).map(([what, edit]) => [`${what}, appended`, appending(edit)])),
  ...Object.fromEntries(Object.entries(edits).map(([what, edit]) => [`${what}, rewritten`, rewriting(edit)])),
  'objects appended by hand': ({ pdf }, random) => {
    const number = 1 + random.below(40)
    return update(
      pdf,
      { [number]: random.pick(['null', '<< >>', '(500 mg)', '<< /Length 0 >>\nstream\n\nendstream']) },
      random,
    )
  },
  'another file before it': ({ pdf }) => Buffer.concat([foreign, pdf]),
  'another file after it': ({ pdf }) => Buffer.concat([pdf, foreign]),
  'itself after it': ({ pdf }) => Buffer.concat([pdf, pdf]),
  'wrapped in another file': ({ pdf }, { below }) =>
    orderWith(`${' '.repeat(below(50))}${pdf.toString('latin1')}`.replaceAll('endstream', 'endstreaM')),
  'wrapped as an attachment': async ({ pdf }) => {
    const doc = await PDFDocument.load(foreign)
    await doc.attach(pdf, 'order.pdf', { mimeType: 'application/pdf' })
    return Buffer.from(await doc.save({ useObjectStreams: false }))
  },
  'its last revision taken off': ({ pdf }) => pdf.subarray(0, pdf.lastIndexOf('%%EOF', pdf.length - 6) + 5),
  'its last revision after another file': ({ pdf }) =>
    Buffer.concat([foreign, pdf.subarray(pdf.lastIndexOf('%%EOF', pdf.length - 6) + 5)]),
}
