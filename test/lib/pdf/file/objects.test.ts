import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import { readCrossReference } from '../../../../lib/pdf/file/cross-reference.ts'
import { headerOffset } from '../../../../lib/pdf/file/header.ts'
import { type PdfObjects, pdfObjects } from '../../../../lib/pdf/file/objects.ts'
import { parseValue } from '../../../../lib/pdf/file/syntax.ts'
import { entryOf, SyntaxProblem } from '../../../../lib/pdf/file/value.ts'
import { fixture, fixtureNames } from '../../../support/fixtures.ts'
import { aDocument } from '../../../support/pdf/a-pdf.ts'
import { ending, HEADER, order, stream, updatedPdf, writtenPdf } from '../../../support/pdf/written-pdf.ts'
import { signedByOthers } from '../../../support/sealed/signed-by-others.ts'

const opened = (pdf: Uint8Array) => {
  const read = readCrossReference(Buffer.from(pdf))
  if (!read.ok) throw new Error(read.problem)
  const { crossReference } = read
  return { ...crossReference, objects: pdfObjects(Buffer.from(pdf), crossReference) }
}
const problemOf = (pdf: Uint8Array): string => {
  const read = readCrossReference(Buffer.from(pdf))
  return read.ok ? 'none' : read.problem
}
const all = (places: ReadonlyMap<number, unknown>, objects: PdfObjects) =>
  [...places.keys()].map((number) => objects.objectAt(number)).filter((object) => object !== null)

describe('the objects of a PDF', () => {
  it('are read from every producer we have, as many as the structure reader finds', async () => {
    for (const name of [...fixtureNames('pdf/orders'), ...fixtureNames('pdf/producers')]) {
      const pdf = fixture(name)
      const { places, objects } = opened(pdf)
      const doc = await PDFDocument.load(pdf, { updateMetadata: false })
      const known = new Set(doc.context.enumerateIndirectObjects().map(([ref]) => ref.objectNumber))
      expect(all(places, objects).filter(({ number }) => !known.has(number)).length, name).to.equal(0)
    }
  })

  it('tell where their values stand, down to the signature of somebody else', async () => {
    const pdf = Buffer.from(await signedByOthers(await (await aDocument({})).save()))
    const { trailer, objects } = opened(pdf)
    const catalog = objects.resolve(entryOf(trailer, 'Root'))
    const fields = objects.resolve(entryOf(objects.resolve(entryOf(catalog, 'AcroForm')), 'Fields'))
    const field = fields?.kind === 'array' ? objects.resolve(fields.items[0]) : null
    const signature = entryOf(field, 'V')
    const object = signature?.kind === 'reference' ? objects.objectAt(signature.number) : null
    const contents = entryOf(object?.value, 'Contents')!
    const range = entryOf(object?.value, 'ByteRange')!
    expect(object?.bytes.length).to.equal(pdf.length)
    expect(pdf.toString('latin1', range.start, range.end)).to.match(/^\[0 \d+ \d+ \d+ *\]$/)
    expect(range.kind === 'array' && range.items.map((item) => item.kind === 'number' && item.value)).to.deep.equal([
      0,
      contents.start,
      contents.end,
      pdf.length - contents.end,
    ])
  })

  it('are those of the newest update, and of an older one where it says nothing', () => {
    const { places, sections, objects } = opened(updatedPdf(writtenPdf(order()), { 5: stream('q Q') }).pdf)
    expect(sections).to.have.lengthOf(2)
    expect(places.size).to.equal(6)
    const { data, bytes } = objects.objectAt(5)!
    expect(bytes.toString('latin1', data!.start, data!.end)).to.equal('q Q')
    expect(objects.objectAt(4)).to.not.equal(null)
    expect(objects.objectAt(0)).to.equal(null)
    expect(objects.objectAt(77)).to.equal(null)
  })

  it('may lie in a stream beside the table, as Word writes it, unless the two contradict each other', () => {
    const word = (hidden: number) => {
      const first = writtenPdf(order())
      const packed = stream('9 0 (hidden)', '/Type /ObjStm /N 1 /First 4')
      const at = first.pdf.length
      let file = `${first.pdf.toString('latin1')}7 0 obj\n${packed}\nendobj\n`
      const xref = file.length
      const rows = String.fromCharCode(2, 0, 7, 0)
      file += `8 0 obj\n${stream(rows, `/Type /XRef /Size 10 /Index [${hidden} 1] /W [1 2 1] /Root 1 0 R`)}\nendobj\n`
      const start = file.length
      file += `xref\n7 1\n${String(at).padStart(10, '0')} 00000 n \ntrailer\n`
      return `${file}<< /Size 10 /Root 1 0 R /Prev ${first.startxref} /XRefStm ${xref} >>\n${ending(start)}`
    }
    const { objects } = opened(Buffer.from(word(9), 'latin1'))
    expect(objects.objectAt(9)?.value.kind).to.equal('text')
    expect(problemOf(Buffer.from(word(7), 'latin1'))).to.equal('two cross-references that contradict each other')
  })

  it('are not looked for where the cross-reference does not lead', () => {
    const { pdf, offsets, startxref } = writtenPdf(order())
    const file = pdf.toString('latin1')
    const changed = (from: string, to: string) => Buffer.from(file.replace(from, to), 'latin1')
    const row = String(offsets.get(4)).padStart(10, '0')
    for (const wrong of [offsets.get(3)!, offsets.get(4)! + 1, offsets.get(4)! - 9, 5_000]) {
      const { objects } = opened(changed(row, String(wrong).padStart(10, '0')))
      expect(() => objects.objectAt(4), String(wrong)).to.throw(SyntaxProblem)
      expect(objects.objectAt(5)).to.not.equal(null)
    }
    expect(() => opened(changed(`${row} 00000`, `${row} 00001`)).objects.objectAt(4)).to.throw(SyntaxProblem)
    const where = `startxref\n${startxref}`
    expect(problemOf(changed(where, `startxref\n${startxref + 1}`))).to.match(/no object|written as it should/)
    expect(problemOf(changed(where, 'startxref\n99999'))).to.equal('a cross-reference that leads out of the file')
    expect(problemOf(changed(where, 'startxref\n-1'))).to.equal('no startxref at its end')
    expect(problemOf(changed('startxref', 'endofxref'))).to.equal('no startxref at its end')
    expect(problemOf(changed('/Size', `/Prev ${startxref} /Size`))).to.match(/in a circle/)
    expect(problemOf(changed(' 00000 n', ' 00000 x'))).to.match(/not written as it should/)
    expect(problemOf(changed('xref\n0 6', 'xref\n1 6'))).to.match(/not written as it should/)
  })
})

describe('a PDF value', () => {
  const parse = (written: string) => parseValue(Buffer.from(written, 'latin1'), 0)

  it('has its key once, or twice the same', () => {
    expect(entryOf(parse('<</A 1/A 1>>'), 'A')).to.include({ kind: 'number', value: 1 })
    expect(() => parse('<</A 1/A 2>>')).to.throw(SyntaxProblem)
    expect(() => parse('<</A 1/#41 2>>')).to.throw(SyntaxProblem)
  })

  it('is read strictly', () => {
    expect(parse(' % comment\r[1 0 R 2 (a\\)b(c)) <0a F> -.5 +3 /N#20 true null]')).to.include({ kind: 'array' })
    for (const wrong of [
      '--5',
      '1.2.3',
      '1e5',
      '5-3',
      '/A#G1',
      '<0g>',
      '(a',
      '[1',
      '<</A>>',
      '<<1 2>>',
      '<</A 1',
      '<</A 1>x',
    ]) {
      expect(() => parse(wrong), wrong).to.throw(SyntaxProblem)
    }
    for (const wrong of ['trueish', 'nul', 'R', '1 0 RG]', '', '>>', ')', '99999999 0 R', '1 99999 R']) {
      expect(() => parse(`[${wrong} ]`.replace('[ ]', '')), wrong).to.throw(SyntaxProblem)
    }
  })

  it('may be nested as documents are, and not as bombs are', () => {
    expect(parse('['.repeat(40) + ']'.repeat(40)).kind).to.equal('array')
    for (const open of ['[', '<</A ']) expect(() => parse(open.repeat(100_000))).to.throw(SyntaxProblem)
  })
})

describe('a header', () => {
  it('is looked for in the first kilobyte, and must be the only one there', () => {
    const at = (text: string) => headerOffset(Buffer.from(text, 'latin1'))
    expect(at(HEADER)).to.equal(0)
    expect(at(`${'x'.repeat(1000)}${HEADER}`)).to.equal(1000)
    for (const wrong of ['', '%PDF', `%PDF ${HEADER}`, `${HEADER}${HEADER}`, `${'x'.repeat(1024)}${HEADER}`]) {
      expect(at(wrong), wrong).to.equal(null)
    }
  })
})
