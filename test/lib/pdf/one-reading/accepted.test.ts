import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import { defaultLimits } from '../../../../lib/pdf/guard/limits.ts'
import { inspectPdf } from '../../../../lib/pdf/guard/source.ts'
import { aFolder } from '../../../support/a-folder.ts'
import { fixture, fixtureNames } from '../../../support/fixtures.ts'
import { aDocument, aPdf } from '../../../support/pdf/a-pdf.ts'
import { ending, order, stream, text, updatedPdf, writtenPdf } from '../../../support/pdf/written-pdf.ts'
import { signedByOthers } from '../../../support/sealed/signed-by-others.ts'
import { installed, runTool } from '../../../support/seen/external-checks.ts'

const accepted = async (pdf: Uint8Array, name: string) => {
  const inspected = await inspectPdf(pdf, defaultLimits)
  expect(inspected.ok ? 'accepted' : inspected.problem, name).to.equal('accepted')
}
const plain = writtenPdf(order()).pdf.toString('latin1')
const changed = (from: string | RegExp, to: string | ((match: string, digits: string) => string)) => {
  const after = plain.replace(from, to as string)
  if (after === plain) throw new Error('nothing was changed')
  return Buffer.from(after, 'latin1')
}
const less = (digits: string) => String(Number(digits) - 1).padStart(digits.length, '0')
const withContent = (content: string, length: string, more = {}) =>
  writtenPdf({ ...order(), 5: content.replace(/Length \d+/, `Length ${length}`), ...more }).pdf
const content = stream(text('Morphine 5 mg'))

/** What is common, against the letter of the format or near it, and the same document in every reader. */
const sloppy: Readonly<Record<string, () => Uint8Array>> = {
  'rows that end with a line feed alone': () => changed(/([nf]) \n/g, '$1\n'),
  'rows that end with a carriage return and a line feed': () => changed(/([nf]) \n/g, '$1\r\n'),
  'rows that end with a carriage return': () => changed(/([nf]) \n/g, '$1 \r'),
  'rows of 21 bytes': () => changed(/([nf]) \n/g, '$1  \n'),
  'no row for object 0': () => changed('0 6\n0000000000 65535 f \n', '1 5\n'),
  'a subsection cut in two': () => changed('0 6\n0000000000 65535 f \n', '0 1\n0000000000 65535 f \n1 5\n'),
  'an unused number at offset 0': () =>
    changed(/0 6\n([\s\S]*)trailer/, (_, rows) => `0 7\n${rows}0000000000 00000 n \ntrailer`),
  'free rows of generation 65535': () =>
    changed(/0 6\n([\s\S]*)trailer/, (_, rows) => `0 7\n${rows}0000000000 65535 f \ntrailer`),
  'a size that is one too small': () => changed('/Size 6', '/Size 5'),
  'a size that is too large': () => changed('/Size 6', '/Size 60'),
  'offsets of the white space before an object': () => changed(/(\d{10})(?= 00000 n)/g, (_, digits) => less(digits)),
  'a startxref that points at the white space before': () =>
    changed(/(?<=startxref\n)(\d+)/, (_, digits) => less(digits)),
  'no end mark': () => changed('%%EOF\n', ''),
  'no line end behind the end mark': () => changed('%%EOF\n', '%%EOF'),
  'zeros behind the end, to fill a block': () => Buffer.from(plain + '\0'.repeat(4000), 'latin1'),
  'a note of a transport behind the end': () => Buffer.from(`${plain}--boundary--\r\n`, 'latin1'),
  'junk before the header, which no offset counts': () => Buffer.from(`\r\n${plain}`, 'latin1'),
  'an object that no cross-reference names, and nothing refers to': () =>
    writtenPdf(order(), { between: '9 0 obj\n<< /Old true >>\nendobj\n' }).pdf,
  'an object that is there twice, word for word': () =>
    writtenPdf(order(), { between: `4 0 obj\n${order()[4]}\nendobj\n` }).pdf,
  'references to objects that are not there': () =>
    writtenPdf({ ...order(), 1: '<< /Type /Catalog /Pages 2 0 R /Metadata 99 0 R >>' }).pdf,
  'comments between objects': () => writtenPdf(order(), { between: '% the end is near\n' }).pdf,
  'a length by reference, before or behind its stream': () =>
    withContent(content, '6 0 R', { 6: String(text('Morphine 5 mg').length) }),
  'a length that counts the line end': () => withContent(content, String(text('Morphine 5 mg').length + 1)),
  'a length by reference that counts the line end': () =>
    withContent(content, '6 0 R', { 6: String(text('Morphine 5 mg').length + 1) }),
  'no line end before endstream': () => writtenPdf({ ...order(), 5: content.replace('\nendstream', 'endstream') }).pdf,
  'several line ends before endstream': () =>
    writtenPdf({ ...order(), 5: content.replace('\nendstream', '\r\n\r\nendstream') }).pdf,
  'carriage returns around the data': () =>
    writtenPdf({ ...order(), 5: content.replace('stream\n', 'stream\r\n').replace('\nendstream', '\rendstream') }).pdf,
  'a key twice with one value': () =>
    writtenPdf({ ...order(), 1: '<< /Type /Catalog /Pages 2 0 R /Type /Catalog >>' }).pdf,
  'numbers as producers write them, and an operator that nobody knows': () =>
    writtenPdf({ ...order(), 5: stream('q -.5 +0 5. .25 0 0 cm foo 1 (x) bar [(a) -.5 <41>] pop Q BX EX') }).pdf,
  'an operator in the second of its streams': () =>
    writtenPdf({
      ...order(),
      3: order()[3]!.replace('5 0 R', '[5 0 R 6 0 R]'),
      5: stream('72 700'),
      6: stream('9 9 re f'),
    }).pdf,
  'pictures in its text': () =>
    writtenPdf({
      ...order(),
      5: stream(
        [
          'BI /W 4 /H 1 /BPC 8 /CS /G ID \0\0\0\0 EI',
          `BI /W 4 /H 1 /BPC 8 /CS /G /F /Fl ID ${deflateSync(Buffer.alloc(4)).toString('latin1')}\nEI`,
          'BI /W 8 /H 2 /IM true ID \0\0\nEI',
          'BI /W 1 /H 1 /BPC 8 /CS /G /F [/AHx] ID 00> EI',
        ].join('\n'),
      ),
    }).pdf,
  'layers that are all on': () =>
    writtenPdf({
      ...order(),
      1: '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R] /D << /BaseState /ON /OFF [] /AS [<< /Event /Print /Category [/Print] /OCGs [6 0 R] >>] >> >> >>',
      6: '<< /Type /OCG /Name (Watermark) /Intent [/View /Design] /Usage << /Print << /PrintState /ON >> /View << /ViewState /ON >> /PageElement << /Subtype /BG >> >> >>',
    }).pdf,
}

/** As `qpdf` and `mutool` write files. */
const tools: Readonly<Record<string, (from: string, to: string) => readonly [command: string, ...options: string[]]>> =
  {
    linearized: (from, to) => ['qpdf', '--linearize', from, to],
    'object streams': (from, to) => ['qpdf', '--object-streams=generate', from, to],
    'linearized with object streams': (from, to) => ['qpdf', '--linearize', '--object-streams=generate', from, to],
    'laid open': (from, to) => ['qpdf', '--qdf', from, to],
    'encrypted for its owner': (from, to) => ['qpdf', '--encrypt', '', 'owner', '256', '--', from, to],
    'encrypted for its owner, with object streams': (from, to) => [
      'qpdf',
      '--object-streams=generate',
      '--encrypt',
      '',
      'owner',
      '256',
      '--',
      from,
      to,
    ],
    cleaned: (from, to) => ['mutool', 'clean', '-gggg', from, to],
    'cleaned and unpacked': (from, to) => ['mutool', 'clean', '-d', from, to],
    'cleaned and packed': (from, to) => ['mutool', 'clean', '-z', '-s', from, to],
  }

describe('a document is accepted', () => {
  for (const [name, make] of Object.entries(sloppy)) it(`with ${name}`, () => accepted(make(), name))

  it('after updates by viewers, also several', async () => {
    const first = writtenPdf(order())
    const second = updatedPdf(first, { 5: stream(text('Morphine 6 mg')) })
    const third = updatedPdf(second, { 5: stream(text('Morphine 7 mg')), 8: '(new)' })
    await accepted(second.pdf, 'two')
    await accepted(third.pdf, 'three')
  })

  it('when Word made it, with a stream beside its table', async () => {
    const first = writtenPdf(order())
    const xref = `7 0 obj\n${stream(String.fromCharCode(1, 0, 15, 0), '/Type /XRef /Size 8 /Index [7 1] /W [1 2 1] /Root 1 0 R')}\nendobj\n`
    const at = first.pdf.length
    const row = String.fromCharCode(1, at >> 8, at & 255, 0)
    const file = first.pdf.toString('latin1') + xref.replace(String.fromCharCode(1, 0, 15, 0), row)
    const trailer = `trailer\n<< /Size 8 /Root 1 0 R /Prev ${first.startxref} /XRefStm ${at} >>\n`
    await accepted(Buffer.from(`${file}xref\n0 0\n${trailer}${ending(file.length)}`, 'latin1'), 'Word')
  })

  it('when the structure reader wrote it, in each of its ways, and when others have signed it', async () => {
    const doc = await aDocument({ content: text('x') }, {})
    await accepted(await doc.save(), 'object streams')
    for (const useObjectStreams of [true, false]) {
      const load = { updateMetadata: false, forIncrementalUpdate: true }
      const updated = await PDFDocument.load(await doc.save({ useObjectStreams }), load)
      updated.addPage()
      await accepted(await updated.commit({ useObjectStreams }), `update, ${useObjectStreams}`)
    }
    const signed = await signedByOthers(await aPdf({}))
    await accepted(signed, 'signed')
    await accepted(await signedByOthers(signed), 'signed twice')
  })

  const missing = [installed.qpdf ? [] : ['qpdf'], installed.mutool ? [] : ['mutool']].flat()
  it(`as tools write it${missing.length ? ` (without ${missing.join(', ')})` : ''}`, async function () {
    this.timeout(120_000)
    const folder = aFolder()
    const [from, to] = [path.join(folder, 'from.pdf'), path.join(folder, 'to.pdf')]
    for (const name of [...fixtureNames('pdf/orders'), 'pdf/producers/latex_t1.pdf', 'pdf/producers/lo_html.pdf']) {
      writeFileSync(from, fixture(name))
      for (const [way, command] of Object.entries(tools)) {
        const [tool, ...options] = command(from, to)
        if (missing.includes(tool)) continue
        runTool(tool, options)
        await accepted(readFileSync(to), `${name}, ${way}`)
      }
    }
  })
})
