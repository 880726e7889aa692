import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import { defaultLimits } from '../../../../lib/pdf/guard/limits.ts'
import { inspectPdf } from '../../../../lib/pdf/guard/source.ts'
import { plainProblem } from '../../../../lib/pdf/plain/plain-problem.ts'
import { fixture } from '../../../support/fixtures.ts'
import {
  type Bodies,
  ending,
  HEADER,
  order,
  stream,
  text,
  updatedPdf,
  writtenPdf,
} from '../../../support/pdf/written-pdf.ts'

const lines = (pdf: Buffer) => pdf.toString('latin1')
const bytes = (file: string) => Buffer.from(file, 'latin1')
const object = (number: number, body: string) => `${number} 0 obj\n${body}\nendobj\n`
const other = stream(text('Morphine 500 mg'))
/** The order with other objects, or some of them changed. */
const changed = (bodies: Bodies) => writtenPdf({ ...order(), ...bodies }).pdf
const replaced = (pdf: Buffer, from: string | RegExp, to: string) => {
  const after = bytes(lines(pdf).replace(from, to))
  if (after.equals(pdf)) throw new Error('nothing was changed')
  return after
}
const twice = (between: string) => writtenPdf(order(), { between }).pdf
const page = (more: string) => order()[3]!.replace(/>>$/, `${more} >>`)
const catalog = (more: string) => `<< /Type /Catalog /Pages 2 0 R ${more} >>`
const resources = (more: string) => order()[3]!.replace('/Font', `${more} /Font`)
const packed = (list: string, values: string) =>
  stream(`${list} ${values}`, `/Type /ObjStm /N ${list.split(' ').length / 2} /First ${list.length + 1}`)

/** The order with its font in an object stream, and a cross-reference stream; `font` says where the font is. */
function streamed(font: readonly [type: number, b: number, c: number], objectStream: string, behind = ''): Buffer {
  const { 4: _font, ...plain } = order()
  const { pdf, offsets, startxref } = writtenPdf({ ...plain, 6: objectStream })
  const file = lines(pdf).slice(0, startxref) + behind
  const row = (type: number, b: number, c: number) => String.fromCharCode(type, b >> 8, b & 255, c)
  const places = [1, 2, 3].map((number) => row(1, offsets.get(number)!, 0)).join('')
  const rest = row(...font) + row(1, offsets.get(5)!, 0) + row(1, offsets.get(6)!, 0) + row(1, file.length, 0)
  const dictionary = '/Type /XRef /Size 8 /W [1 2 1] /Root 1 0 R'
  const xref = object(7, stream(row(0, 0, 0) + places + rest, dictionary))
  return bytes(`${file}${xref}${ending(file.length)}`)
}
const font = order()[4]!

/** By rule: what is said of it, and files that break it. */
const rules: Readonly<Record<string, readonly [problem: RegExp, ...files: (() => Uint8Array)[]]>> = {
  'an object is there twice, and the cross-reference means the first': [
    /an object that is there twice|an object that only some readers find/,
    () => fixture('pdf/attacks/wys-dupPage.pdf'),
    () => twice(object(3, page('/Rotate 90'))),
    () => twice(object(2, '<< /Type /Pages /Kids [3 0 R] /Count 1 /Rotate 90 >>')),
    () => twice(object(1, catalog('/PageLayout /OneColumn'))),
    () => twice(object(5, other)),
    () => twice(object(4, font.replace('Helvetica', 'Symbol'))),
    () => replaced(twice(object(5, other)), /^/, 'junk before the header\n'),
    () => twice(`%\n${object(5, other)}`),
  ],
  'an object is there twice, once in an object stream': [
    /an object that is there twice|an object that only some readers find/,
    () => twice(object(6, packed('4 0', font.replace('Helvetica', 'Symbol')))),
    () => streamed([2, 6, 0], packed('4 0', font), object(4, font.replace('Helvetica', 'Symbol'))),
    () => {
      const number = '4 0'
      return streamed([2, 6, 0], packed(number, font), object(8, packed(number, font.replace('Helvetica', 'Courier'))))
    },
  ],
  'an object stream does not keep its word': [
    /packed objects without a list of them|no object where its cross-reference says/,
    () => streamed([2, 6, 1], packed('4 0', font)),
    () => streamed([2, 6, 0], packed('9 0', font)),
    () => streamed([2, 5, 0], packed('4 0', font)),
    () => streamed([2, 6, 0], packed('4 0 4 60', `${font.padEnd(60)}${font.replace('Helvetica', 'Symbol')}`)),
    () => streamed([2, 6, 0], packed('4 60 8 0', `${'null'.padEnd(60)}${font}`)),
    () => streamed([2, 6, 0], packed('4 0 8 20', font)),
  ],
  'an object is free by the cross-reference, and there': [
    /an object that only some readers find/,
    () => {
      const first = writtenPdf(order())
      const row = `${String(first.offsets.get(5)).padStart(10, '0')} 00000 n`
      return replaced(first.pdf, row, '0000000000 00001 f')
    },
    () => replaced(writtenPdf(order(), { between: object(9, font) }).pdf, '/F1 4 0 R', '/F1 9 0 R'),
  ],
  'the cross-reference leads astray': [
    /no object where|not written as it should|leads out of the file|in a circle|no startxref/,
    () => replaced(changed({}), /0000000015 00000 n/, '0000000016 00000 n'),
    () => replaced(changed({}), /0000000015 00000 n/, '0000000015 00001 n'),
    () => replaced(changed({}), /startxref\n/, 'startxref\n1'),
    () => replaced(changed({}), 'startxref', 'begunxref'),
    () => replaced(changed({}), '/Size', '/Prev 3 /Size'),
    () => replaced(changed({}), /\/Size/, `/Prev ${writtenPdf(order()).startxref} /Size`),
    () => replaced(changed({}), / n \n/g, ' 1 n\n'),
    () => replaced(changed({}), 'xref\n0 6\n', 'xref\n1 6\n'),
  ],
  'one cross-reference speaks of an object twice': [
    /one object twice in one cross-reference/,
    () => replaced(twice(object(5, other)), 'trailer', '5 1\n0000000015 00000 n \ntrailer'),
  ],
  'a table and the stream beside it contradict each other': [
    /contradict each other/,
    () => {
      const { pdf, offsets, startxref } = writtenPdf({ ...order(), 6: other })
      const at = offsets.get(6)!
      const row = String.fromCharCode(1, at >> 8, at & 255, 0)
      const xref = object(7, stream(row, '/Type /XRef /Size 8 /Index [5 1] /W [1 2 1] /Root 1 0 R'))
      const file = lines(pdf).slice(0, startxref)
      const table = lines(pdf).slice(startxref).replace('/Size', `/XRefStm ${file.length} /Size`)
      return bytes(`${file}${xref}${table.replace(/startxref\n\d+/, `startxref\n${file.length + xref.length}`)}`)
    },
  ],
  'there is something behind the end': [
    /something behind its end/,
    () => bytes(`${lines(changed({}))}${object(5, other)}`),
    () => bytes(`${lines(changed({}))}trailer << /Root 4 0 R >>\n%%EOF`),
    () => bytes(`${lines(changed({ 9: stream(' '.repeat(2000)) }))}%PDF-1.4`),
  ],
  'there is more than one header': [/more than one header/, () => replaced(changed({}), /^/, HEADER)],
  'a trailer that no chain leads to says something else': [
    /two trailers that contradict each other|structure cannot be read/,
    () => replaced(changed({ 6: catalog('') }), 'startxref', 'trailer\n<< /Root 6 0 R >>\nstartxref'),
    () => twice('trailer\n<< /Encrypt 4 0 R >>\n'),
  ],
  'a trailer does not say how large the file is, or too little': [
    /a trailer that is not written|beyond its stated size/,
    () => replaced(changed({}), '/Size 6', ''),
    () => replaced(changed({}), '/Size 6', '/Size 4'),
  ],
  'one key has two values': [
    /one key with two values|its pages cannot be read/,
    () => changed({ 1: catalog('/Pages 3 0 R') }),
    () => changed({ 3: page('/Contents 4 0 R') }),
    () => changed({ 3: page('/#43ontents 4 0 R') }),
    () => changed({ 3: resources('/Font << /F1 5 0 R >>') }),
    () => changed({ 5: stream(text('x'), '/Length 3') }),
  ],
  'a stream does not end where it says': [
    /a stream without its true length|there twice/,
    () => changed({ 5: stream(text('x')).replace(/Length \d+/, 'Length 3') }),
    () => changed({ 5: stream(text('x')).replace(/Length \d+/, 'Length 9000') }),
    () => changed({ 5: stream(text('x')).replace(/Length \d+/, 'Length 6 0 R'), 6: '3' }),
    () => changed({ 5: stream(text('x')).replace(/Length \d+/, 'Length 9 0 R') }),
    () => changed({ 5: stream(text('x')).replace(/\/Length \d+/, '') }),
    () => {
      const content = `${text('Morphine 5 mg')}\nendstream\nendobj\n`
      return changed({ 5: stream(content).replace(/Length \d+/, 'Length 6 0 R'), 6: String(content.length) })
    },
  ],
  'a reference leads to another generation, or to a reference': [
    /a reference that leads to another object|only some readers find/,
    () => replaced(changed({}), '/Contents 5 0 R', '/Contents 5 1 R'),
    () => replaced(changed({ 6: '5 0 R' }), '/Contents 5 0 R', '/Contents 6 0 R'),
  ],
  'values are written as only some readers take them': [
    /not written as it should|no value|does not end as it should|nested too deeply|only some|something else/,
    () => changed({ 3: page('/X 7-92') }),
    () => changed({ 3: page('/X --792') }),
    () => changed({ 4: font.replace('Helvetica', 'Helvet#2369ca') }),
    () => changed({ 4: font.replace('Helvetica', 'Helvetica#G1') }),
    () => changed({ 4: `${font} 7` }),
    () => changed({ 4: font.replace('>>', `/X ${'['.repeat(60)}${']'.repeat(60)} >>`) }),
  ],
  'the page tree contradicts itself': [
    /a page tree that contradicts itself|no catalog of its pages|its pages cannot be read/,
    () => changed({ 2: '<< /Type /Pages /Kids [3 0 R] /Count 2 >>' }),
    () => changed({ 2: '<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>' }),
    () => changed({ 2: '<< /Type /Pages /Kids [3 0 R] /Count 1 /Parent 4 0 R >>' }),
    () => changed({ 3: order()[3]!.replace('/Parent 2 0 R', '/Parent 6 0 R'), 6: '<< /Rotate 90 /Type /Pages >>' }),
    () => changed({ 3: page('/Kids []') }),
    () => replaced(changed({}), '/Type /Page ', '/Type /Note '),
    () => replaced(changed({}), '/Type /Catalog', '/Type /Katalog'),
  ],
  'a page is cropped to nothing': [
    /cropped to nothing/,
    () => changed({ 3: page('/CropBox [900 900 990 990]') }),
    () => changed({ 3: page('/CropBox [0 0 0 0]') }),
    () => changed({ 2: '<< /Type /Pages /Kids [3 0 R] /Count 1 /CropBox [612 0 700 792] >>' }),
  ],
  'an object is there under two generations': [
    /an object that is there twice/,
    () => twice(`5 1 obj\n${other}\nendobj\n`),
  ],
  'an operator has not what it asks for, or a number is none': [
    /drawing operators|graphics states|join differently|a number that is not written as it should|no value|does not end/,
    ...[
      '80 300 300 re f',
      '/N 300 300 90 re f',
      '80.5.5 300 300 90 re f',
      '--80 300 300 90 re f',
      '80 300 3e2 90 re f',
    ].map((drawn) => () => changed({ 5: stream(drawn) })),
    () => changed({ 5: stream('(x Tj') }),
    () => changed({ 5: stream('q Q Q 9 9 9 9 re f') }),
    () => changed({ 5: stream('] f') }),
    () =>
      changed({
        3: resources('/XObject << /X 6 0 R >>'),
        5: stream('/X Do'),
        6: stream('9 re f', '/Subtype /Form /BBox [0 0 9 9]'),
      }),
    () =>
      changed({ 3: order()[3]!.replace('5 0 R', '[5 0 R 6 0 R]'), 5: stream('(Morphine 5'), 6: stream('00 mg) Tj') }),
  ],
  'a picture is in its text': [
    /drawing operators that only some viewers know/,
    ...[
      '/W 4 /H 1 /BPC 8 /CS /G ID \0 EI EI',
      '/W 40 /H 1 /BPC 8 /CS /G ID \0 EI Q 0 g 9 9 9 9 re f q            EI',
      '/W 4 /H 1 /BPC 8 /CS /G ID \0EI\0 EI',
      '/W 4 /H 1 /BPC 8 /CS /Named ID \0\0\0\0 EI',
      '/W 4 /H 1 /BPC 8 /CS /G /F /Fl ID abc EI',
      '/W 4 /H 1 /BPC 8 /CS /G /F /LZW ID abc EI',
      '/W 4 /W 5 /H 1 /BPC 8 /CS /G ID \0\0\0\0 EI',
      '/W 4 /H 1 /BPC 8 /CS /G ID \0\0\0\0',
    ].map((picture) => () => changed({ 5: stream(`q BI ${picture} Q`) })),
  ],
  'a page is turned by less than a quarter': [/turned by something else/, () => changed({ 3: page('/Rotate 44') })],
  'the first object names another first page, or a length to come': [
    /a first object that contradicts its page tree/,
    ...['/L 9 /O 6', '/L 9 /O 4 /P 1', '/L 100000 /O 5', '/O 5'].map((entries) => () => {
      const [first, ...rest] = Object.entries(order()).map(([number, body]) => [Number(number) + 2, body] as const)
      const moved = (body: string) => body.replace(/(\d) 0 R/g, (_, number) => `${Number(number) + 2} 0 R`)
      const bodies = Object.fromEntries([first!, ...rest].map(([number, body]) => [number, moved(body)]))
      const head = `<< /Linearized 1 ${entries} /H [1 1] /E 1 /N 1 /T 1 >>`
      return writtenPdf({ 1: head, ...bodies }, { trailer: '/Root 3 0 R' }).pdf
    }),
  ],
  'content lies in another file, or is for paper only': [
    /in another file|printers only|others on paper/,
    () => changed({ 5: stream('', '/F (other.txt)') }),
    ...['/Subtype /PS', '/Subtype /Form /OPI << >>', '/Subtype /Form /Ref << >>', '/Subtype /Image /Alternates []'].map(
      (entries) => () => changed({ 3: resources('/XObject << /X 6 0 R >>'), 6: stream('', entries) }),
    ),
  ],
  'colors are others in some readers': [
    /in (a color|colors) that only some readers/,
    ...[
      '/ExtGState << /G << /TR << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >> >> >>',
      '/ExtGState << /G << /TR2 6 0 R >> >>',
      '/ColorSpace << /C [/Separation /None /DeviceGray 6 0 R] >>',
      '/ColorSpace << /C [/DeviceN [/None /None] /DeviceGray 6 0 R] >>',
    ].map((entries) => () => changed({ 3: resources(entries), 6: '<< /FunctionType 2 /N 1 >>' })),
  ],
  'a layer is not always shown': [
    /layers that are not always shown/,
    ...[
      ['/OFF [6 0 R]', ''],
      ['/BaseState /OFF', ''],
      ['/BaseState /Unchanged', ''],
      ['', '/Usage << /Print << /PrintState /OFF >> >>'],
      ['', '/Usage << /View << /ViewState /OFF >> >>'],
      ['', '/Usage << /Export << /ExportState /OFF >> >>'],
      ['', '/Usage << /Zoom << /min 2 >> >>'],
      ['', '/Intent /Design'],
    ].map(
      ([config, layer]) =>
        () =>
          layered(config!, `<< /Type /OCG /Name (L) ${layer} >>`, '6 0 R'),
    ),
    ...['/P /AllOff', '/P /AnyOff', '/VE [/Not 6 0 R]'].map(
      (rule) => () => layered('', '<< /Type /OCG /Name (L) >>', `<< /Type /OCMD /OCGs 6 0 R ${rule} >>`),
    ),
    () => layered('', '<< /Type /OCG /Name (L) >>', '<< /Type /OCG /Name (unlisted) >>'),
  ],
}

const layered = (config: string, layer: string, property: string) =>
  changed({
    1: catalog(`/OCProperties << /OCGs [6 0 R] /D << /Order [] ${config} >> >>`),
    3: resources(`/Properties << /P ${property} >>`),
    6: layer,
  })

describe('a document is not plain when', () => {
  for (const [rule, [problem, ...files]] of Object.entries(rules)) {
    it(rule, async () => {
      for (const [index, file] of files.entries()) {
        const inspected = await inspectPdf(file(), defaultLimits)
        const found = inspected.ok ? plainProblem(inspected.doc) : inspected.problem
        expect(found ?? 'accepted', `file ${index}`).to.match(problem)
      }
    })
  }

  it('its objects are read differently, however it is updated', async () => {
    const update = updatedPdf(writtenPdf(order()), { 5: other })
    const stale = replaced(update.pdf, /startxref\n\d+\n%%EOF\n$/, ending(writtenPdf(order()).startxref))
    const inspected = await inspectPdf(stale, defaultLimits)
    expect(inspected.ok ? 'accepted' : inspected.problem).to.match(/there twice/)
    await PDFDocument.load(stale)
  })
})
