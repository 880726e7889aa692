import { expect } from 'chai'
import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { DocumentRule } from '../../../lib/pdf/plain/document-rules.ts'
import { createPdfPool, type PdfPool } from '../../../server/pdf/workers/pool.ts'
import { fixture } from '../../support/fixtures.ts'
import { judge } from '../../support/mutants/judge.ts'
import { aCompletion, aField } from '../../support/pdf/a-completion.ts'
import { inspectedAsShown } from '../../support/pdf/as-shown.ts'
import { type Bodies, order, stream, text, writtenPdf } from '../../support/pdf/written-pdf.ts'
import { installed } from '../../support/seen/external-checks.ts'
import { createPainters } from '../../support/seen/pictures.ts'

const font = (base: string, entries = '', subtype = 'Type1') =>
  `<< /Type /Font /Subtype /${subtype} /BaseFont /${base} ${entries} >>`
const changed = (bodies: Bodies) => writtenPdf({ ...order(), ...bodies }).pdf
const inFont = (base: string, entries = '', words = 'Morphine 5 mg') =>
  changed({ 4: font(base, entries), 5: stream(text(words)) })
const named = (...names: string[]) => `/Encoding << /Differences [53 ${names.map((name) => `/${name}`).join(' ')}] >>`
const descriptor = (entries: string, name = 'Frutiger') =>
  `/FontDescriptor << /Type /FontDescriptor /FontName /${name} /Flags 32 /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 ` +
  `/StemV 80 /FontBBox [0 0 1000 1000] ${entries} >>`
const winAnsi = '/Encoding /WinAnsiEncoding'
const widths = `/FirstChar 0 /LastChar 255 /Widths [${'550 '.repeat(256)}]`
/** One page that says this in a form, with these resources. */
const inForm = (content: string, resources: string) =>
  changed({
    3: order()[3]!.replace('/Font', '/XObject << /X 6 0 R >> /Font'),
    5: stream('/X Do'),
    6: stream(content, `/Type /XObject /Subtype /Form /BBox [0 0 612 792] ${resources}`),
  })

/** An order with a change in the program of its font. */
async function withProgram(name: string, change: (program: Buffer) => Uint8Array): Promise<Uint8Array> {
  const doc = await PDFDocument.load(fixture(name), { updateMetadata: false })
  for (const [, object] of doc.context.enumerateIndirectObjects()) {
    const reference = object instanceof PDFDict ? object.get(PDFName.of('FontFile2')) : undefined
    if (!(reference instanceof PDFRef)) continue
    const stored = doc.context.lookup(reference)
    if (!(stored instanceof PDFRawStream)) continue
    const program = Buffer.from(decodePDFRawStream(stored).decode())
    const after = change(program)
    doc.context.assign(reference, doc.context.stream(after, { Length1: after.length }))
  }
  return doc.save({ useObjectStreams: false })
}

/** Each glyph becomes the one after it, for the viewers that go by this table. */
function shiftedTable(program: Buffer, table: string): Buffer {
  const count = program.readUInt16BE(4)
  for (let i = 0; i < count; i++) {
    const entry = 12 + 16 * i
    if (program.toString('latin1', entry, entry + 4) !== table) continue
    const offset = program.readUInt32BE(entry + 8)
    const length = program.readUInt32BE(entry + 12)
    for (let at = offset + 40; at < offset + Math.min(length, 200); at++) program[at] = (program[at]! + 1) & 0xff
  }
  return program
}

const accepted: Readonly<Record<string, () => Uint8Array>> = {
  'Helvetica in its own encoding': () => inFont('Helvetica'),
  'fonts that every computer has': () => inFont('ArialMT', winAnsi),
  'accents of Western Europe': () => inFont('Times-Roman', winAnsi, 'M\\374ller, Ren\\351e: 5 \\265g'),
  'letters by their usual names': () => inFont('Helvetica', named('five', 'Eacute', 'Euro')),
  'unusual names that are not used': () => inFont('Helvetica', named('five', 'g17', 'nonsense')),
  'tabs and line ends among letters': () => inFont('Courier', winAnsi, 'Morphine\\t5 mg\\r'),
  'the check marks of forms': () => inFont('ZapfDingbats', '', '4 8 l n u'),
  Greek: () => inFont('Symbol', '', 'a b D 5'),
  'text recognized below a scan, in a font that nobody has': () =>
    changed({ 4: font('GlyphLess', '/Encoding /Identity-H', 'Type0'), 5: stream(`3 Tr ${text('Morphine 5 mg')}`) }),
  'a form with a font of its own': () =>
    inForm(
      text('Morphine 5 mg'),
      `/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >> >> >>`,
    ),
}

const refused: Readonly<Record<string, readonly [problem: RegExp, file: () => Uint8Array | Promise<Uint8Array>]>> = {
  'codes of two bytes in dingbats': [/draw differently/, () => inFont('ZapfDingbats', '', '\\000M\\000g')],
  'other pictures': [/viewers replace/, () => inFont('Wingdings', winAnsi)],
  'dingbats under the codes of letters': [/viewers replace/, () => inFont('ZapfDingbats', winAnsi)],
  'part of a font that is not there': [/viewers replace/, () => inFont('ABCDEF+Frutiger', winAnsi)],
  'letters under names that nobody knows': [/viewers replace/, () => inFont('Helvetica', named('g17'))],
  'a font without a name': [/viewers replace/, () => changed({ 4: '<< /Type /Font /Subtype /Type1 >>' })],
  'letters of a width that nobody knows': [/viewers replace/, () => inFont('Frutiger', winAnsi)],
  'fonts that few computers have': [
    /viewers replace/,
    () => inFont('Frutiger', `${winAnsi} ${widths} ${descriptor('')}`),
  ],
  'an encoding that is none': [/viewers replace/, () => inFont('Helvetica', '/Encoding 5')],
  'names that are none': [/viewers replace/, () => inFont('Helvetica', '/Encoding << /Differences [53 (five)] >>')],
  'letters for experts': [/viewers replace/, () => inFont('Helvetica', '/Encoding /MacExpertEncoding')],
  'composed of nothing': [/codes that viewers read differently/, () => changed({ 4: font('Helvetica', '', 'Type0') })],
  'programs of another kind than they say': [
    /contradicts itself/,
    () => fixtureWith('pdf/orders/libreoffice-order.pdf', '/FontFile2', '/FontFile '),
  ],
  'glyphs by number, of a font that is not there': [
    /viewers replace/,
    () =>
      changed({
        4: font(
          'Frutiger',
          `/Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Frutiger /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ${descriptor('')} >>]`,
          'Type0',
        ),
        5: stream(text('\\000M\\000g')),
      }),
  ],
  'a program that nobody can read': [
    /not in it|draw differently/,
    () => changed({ 4: font('X', `${winAnsi} ${descriptor('/FontFile2 6 0 R')}`, 'TrueType'), 6: stream('nothing') }),
  ],
  'a program that some can read': [
    /not in it|draw differently/,
    () => withProgram('pdf/orders/libreoffice-order.pdf', (program) => program.subarray(0, program.length / 2)),
  ],
  'a font that is not named': [
    /a name that only some viewers find/,
    () => changed({ 5: stream('BT /F2 18 Tf (5 mg) Tj ET') }),
  ],
  'text without a font': [/text without a font/, () => changed({ 5: stream('BT 72 700 Td (5 mg) Tj ET') })],
  'a form that takes its font from the page': [
    /text without a font/,
    () => inForm('BT (5 mg) Tj ET', '/Resources << >>'),
  ],
  'a font set by a graphics state': [
    /colors or transparency that viewers/,
    () =>
      changed({
        3: order()[3]!.replace('/Font', '/ExtGState << /G << /Font [4 0 R 18] >> >> /Font'),
        5: stream('/G gs BT 72 700 Td (5 mg) Tj ET'),
      }),
  ],
  'text around a state that is kept within it': [
    /in a place where viewers take them differently/,
    () => changed({ 5: stream('BT /F1 18 Tf 72 700 Td q (Morphine) Tj Q ( 5 mg) Tj ET') }),
  ],
  'a descriptor with another name': [
    /a font with two names/,
    () => inFont('Helvetica', `${winAnsi} ${widths} ${descriptor('', 'ZapfDingbats')}`),
  ],
  'text written downwards': [
    /not in it|draw differently|codes that viewers read differently/,
    () => fixtureWith('pdf/orders/chromium-order.pdf', '/Identity-H', '/Identity-V'),
  ],
}

function fixtureWith(name: string, from: string, to: string): Buffer {
  const file = Buffer.from(fixture(name)).toString('latin1')
  if (!file.includes(from)) throw new Error(`${name} has no ${from}`)
  return Buffer.from(file.replaceAll(from, to), 'latin1')
}

describe('the fonts of a document', () => {
  let pool: PdfPool
  before(() => {
    pool = createPdfPool({ threads: 1 })
  })
  after(() => pool.close())
  const inspected = (pdf: Uint8Array, documents: DocumentRule = 'auto') => inspectedAsShown(pool, pdf, { documents })

  for (const [name, file] of Object.entries(accepted)) {
    it(`may be ${name}, and are sealed as they are`, async () => {
      const found = await inspected(file(), 'refuse')
      if (!found.ok) throw new Error(found.problem)
      const field = aField({ box: { left: 350, top: 400, right: 530, bottom: 436 } })
      const completed = await pool.complete(found.pdf, await aCompletion({ fields: [field] }))
      expect(completed).to.include({ ok: true })
    })
  }

  for (const [name, [problem, file]] of Object.entries(refused)) {
    it(`are drawn, or refused where that is the setting, where they are ${name}`, async () => {
      const refusal = await inspected(await file(), 'refuse')
      expect(refusal.ok ? 'accepted' : refusal.problem).to.match(problem)
      const found = await inspected(await file())
      if (!found.ok) throw new Error(found.problem)
      expect(found.preparations.join()).to.match(/^drawn(?:AsAmbiguous|ForLetters|ForContent)$/)
      expect(await pool.complete(found.pdf, await aCompletion({ fields: [aField()] }))).to.include({ ok: true })
    })
  }

  for (const table of ['cmap', 'loca']) {
    it(`are refused, or sealed as all viewers show them, when the table ${table} of their program is shifted`, async () => {
      const pdf = await withProgram('pdf/orders/libreoffice-order.pdf', (program) => shiftedTable(program, table))
      const painters = createPainters(installed.pdftoppm && installed.standardFonts)
      try {
        const { outcome, detail } = await judge(pdf, pool, painters)
        expect(outcome, detail).to.be.oneOf(['refused', 'sealed as shown'])
      } finally {
        await painters.close()
      }
    })
  }
})
