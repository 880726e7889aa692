/** Parts of a PDF that its sender labelled otherwise: a corrected PDF must not be sent as the revision that its first part ends with. */
import { expect } from 'chai'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import { anOrder, mdm, oru, PDF, type Segments } from '../../support/hl7/an-order.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

const END = 'trailer<<>>\nstartxref\n29\n%%EOF\n'
const first = `%PDF-1.4\n1 0 obj<</A (5 mg twice daily)>>endobj\n${END}`.padEnd(102, ' ')
const second = `2 0 obj<</A (50 mg once daily - corrected)>>endobj\n${END}`
const [A, B] = [first, second].map((text) => Buffer.from(text).toString('base64')) as [string, string]
const WHOLE = Buffer.from(first + second).toString('base64')

const map = readMapFile({ documentTypes: { CMS485: { documentTypeId: 101 } } })
const ed = (base64: string) => `^application^pdf^Base64^${base64}`
const obx = (number: string, type: string, id: string, value: string, subId = '') =>
  `OBX|${number}|${type}|${id}|${subId}|${value}||||||F`
const became = (segments: readonly string[], base: Segments = mdm, more: Segments = {}) =>
  mapHl7(anOrder({ ...more, OBX: segments }, base), map)
const held = (...segments: string[]) => heldBy(became(segments)).join('; ')
const pdfOf = (...segments: string[]) => bodyOf(became(segments)).document.attachment

describe('Data next to a PDF in HL7 v2', () => {
  it('is joined when it is a part by its labels and numbers', () => {
    expect(A.length % 4).to.equal(0)
    expect(A).to.not.include('=')
    expect(pdfOf(obx('1', 'ED', 'PDF', ed(A)), obx('2', 'ED', 'PDF', ed(B)))).to.equal(WHOLE)
    expect(pdfOf(obx('', 'ED', 'PDF', ed(A)), obx('', 'ED', 'PDF', ed(B)))).to.equal(WHOLE)
    expect(pdfOf(obx('1', 'ED', 'PDF', `${ed(A)}~${B}`))).to.equal(WHOLE)
    expect(pdfOf(obx('1', 'ED', 'PDF', `${ed(A)}~${ed(B)}`))).to.equal(WHOLE)
  })

  const others: Record<string, string[]> = {
    'of another type': [obx('2', 'TX', 'PDF', B)],
    'of another code': [obx('2', 'ED', 'PDF.2', ed(B))],
    'of another text of the code': [obx('2', 'ED', 'PDF^Part 2', ed(B))],
    'in lines': [obx('2', 'FT', 'REST', B.replace(/(.{24})/g, '$1\\.br\\'))],
    'without a label': [obx('2', 'ED', 'REST', `^^^Base64^${B}`)],
    'labelled as bytes': [obx('2', 'ED', 'REST', `^application^octet-stream^Base64^${B}`)],
    'in a note': [`NTE|1||${B}`],
    'in short pieces': (B.match(/.{1,40}/g) ?? []).map((piece, at) => obx(`${at + 2}`, 'TX', `REST${at}`, piece)),
  }
  for (const [where, more] of Object.entries(others))
    it(`${where} holds the message`, () => {
      expect(held(obx('1', 'ED', 'PDF', ed(A)), ...more)).to.match(/(OBX-5|NTE-3): holds data outside of the PDF/)
    })

  it('in the same value holds the message: in a subcomponent, in a component after the data, or before it', () => {
    for (const value of [
      `${ed(A)}&${B}`,
      `${ed(A)}^${B}`,
      `${PDF}^application^pdf^Base64^${WHOLE}`,
      `${B.repeat(4)}${ed(A)}`,
    ])
      expect(held(obx('1', 'ED', 'PDF', value)), value.slice(-20)).to.match(/OBX-5: holds data outside of the PDF/)
  })

  it('in another order of the message, or before all orders, holds the message', () => {
    const rest = obx('1', 'TX', 'PDF', B)
    const segments = [obx('1', 'ED', 'PDF', ed(A)), 'OBR|2|P-78^EPIC|F-89^LAB|OTHER^Other', rest]
    expect(heldBy(became(segments, oru)).join()).to.contain('OBX-5: holds data outside of the PDF')
    const note = { PID: [String(mdm.PID), `NTE|1||${B}`] }
    expect(heldBy(became([obx('1', 'ED', 'PDF', ed(A))], oru, note)).join()).to.contain('NTE-3: holds data outside')
  })

  it('that comes twice, without numbers, holds the message', () => {
    const parts = [A, B, B].map((part) => obx('', 'ED', 'PDF', ed(part)))
    expect(held(...parts)).to.contain('OBX-5: holds a PDF of which a part is missing or comes twice')
  })

  it('in notes about another observation, or about the order, is not joined, and holds the message', () => {
    expect(pdfOf(obx('1', 'TX', 'NOTE', 'See'), `NTE|1||${A}`, `NTE|2||${B}`)).to.equal(WHOLE)
    for (const between of [obx('2', 'TX', 'NOTE', 'More'), 'DG1|1||I50.9'])
      expect(held(obx('1', 'TX', 'NOTE', 'See'), `NTE|1||${A}`, between, `NTE|1||${B}`)).to.contain(
        'NTE-3: holds data outside of the PDF, which may be a part of it: NTE[2]-3',
      )
  })

  it('is named by each of its fields', () => {
    const both = [obx('2', 'TX', 'REST', B), `NTE|1||${B}`]
    expect(held(obx('1', 'ED', 'PDF', ed(A)), ...both)).to.match(/^OBX-5, NTE-3: holds data outside/)
  })

  it('does not matter up to 64 characters, after the data or elsewhere', () => {
    const data = (length: number) => 'aB3defGhIjKlMnOpQrSt'.repeat(4).slice(0, length)
    for (const [length, isSent] of [
      [64, true],
      [65, false],
    ] as const) {
      const other = [obx('1', 'ED', 'PDF', ed(A)), obx('2', 'TX', 'ID', data(length))]
      if (isSent) expect(pdfOf(...other)).to.equal(A)
      else expect(held(...other)).to.contain('OBX-5: holds data outside')
    }
    for (const rest of ['^done', '&done', `^${data(60)}`])
      expect(pdfOf(obx('1', 'ED', 'PDF', `${ed(A)}${rest}`)), rest).to.equal(A)
    expect(held(obx('1', 'ED', 'PDF', `${ed(A)}^${data(64)}`))).to.contain('OBX-5: holds data outside')
  })

  it('does not matter where an encapsulated PDF is declared, and is empty', () => {
    for (const empty of [
      '^application^pdf',
      '^application^pdf^Base64^',
      '^application^pdf^Base64^  ',
      '^application^pdf^Base64^""',
    ])
      expect(pdfOf(obx('1', 'ED', 'PDF', ed(A)), obx('2', 'ED', 'REST', empty)), empty).to.equal(A)
    for (const type of ['ED', ' ED '])
      expect(
        held(obx('1', 'ED', 'PDF', ed(A)), obx('2', type, 'REST', '^application^ PDF ^Base64^x')),
        type,
      ).to.contain('OBX-5: holds data outside')
  })

  it('does not matter when it is another file, prose, an address or a hash', () => {
    const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(200, 'AbC9')]).toString('base64')
    const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
    for (const other of [
      obx('2', 'ED', 'IMG', `^image^jpeg^Base64^${B}`),
      obx('2', 'ED', 'IMG', `^^^Base64^${jpeg}`),
      obx('2', 'TX', 'NOTE', 'Patient seen in clinic and doing well '.repeat(20)),
      obx('2', 'TX', 'NOTE', `${'_'.repeat(90)} ${'-'.repeat(90)}`),
      obx('2', 'TX', 'URL', `https://ehr.example/${'Documents/View9/'.repeat(9)}`),
      obx('2', 'ST', 'HASH', sha256),
      `NTE|1||${sha256}${sha256}`,
      obx('2', 'ST', 'HASH', `${sha256}${sha256}`.toUpperCase()),
    ])
      expect(pdfOf(obx('1', 'ED', 'PDF', ed(WHOLE)), other), other.slice(0, 60)).to.equal(WHOLE)
  })
})

describe('A PDF in HL7 v2', () => {
  const last = `3 0 obj<</B (page 3)>>endobj\n${END}`
  const [C, D] = [last, last.replace('3 0', '4 0')].map((text) => Buffer.from(text.padEnd(102)).toString('base64'))
  const file = (...texts: string[]) => Buffer.from(texts.join('')).toString('base64')
  const numbered = (numbers: readonly string[], parts: readonly string[]) =>
    parts.map((part, at) => obx('', 'ED', 'PDF', ed(part), numbers[at]))

  it('in parts that OBX-4 numbers is held when a number is missing', () => {
    const parts = [A, C!, D!]
    const whole = Buffer.concat(parts.map((part) => Buffer.from(part, 'base64'))).toString('base64')
    for (const numbers of [
      ['1', '2', '3'],
      [' 1', '2 ', ' 3 '],
      ['', '', ''],
    ])
      expect(pdfOf(...numbered(numbers, parts)), numbers.join()).to.equal(whole)
    for (const numbers of [
      ['1', '2', '4'],
      ['1', '3', '4'],
      ['1', '3', '5'],
      ['1', '', '3'],
      ['3', '2', '1'],
    ])
      expect(held(...numbered(numbers, parts)), numbers.join()).to.contain('a part is missing or comes twice')
  })

  it('in parts that OBX-1 numbers is held when they are in another order, or when one is missing', () => {
    const of = (...numbers: string[]) => [A, B].map((part, at) => obx(numbers[at]!, 'ED', 'PDF', ed(part)))
    expect(pdfOf(...of(' 1', '2 '))).to.equal(WHOLE)
    expect(held(...of('2', '1'))).to.equal('OBX-5: holds a PDF whose parts are in another order than their numbers say')
    for (const numbers of [
      ['1', '3'],
      ['1', '1'],
      ['1', ''],
      ['', '2'],
    ])
      expect(held(...of(...numbers)), numbers.join()).to.match(
        /^OBX-5: holds a PDF (of which a part is missing|whose parts are in another order)/,
      )
    const note = (number: string, part: string) => `NTE|${number}||${part}`
    expect(held(obx('1', 'TX', 'NOTE', 'See'), note('1', A), note('3', B))).to.contain(
      'NTE-3: holds a PDF of which a part',
    )
  })

  it('is held when any of its parts comes twice without numbers', () => {
    for (const parts of [
      [A, C!, C!],
      [A, C!, D!, D!],
    ])
      expect(held(...numbered([], parts)), `${parts.length}`).to.contain('a part is missing or comes twice')
  })

  it('of several is the one that the map names, however many there are', () => {
    const pdfs = [first, first + second, `%PDF-1.4\n${second}`].map((text) => file(text))
    const segments = pdfs.map((pdf, at) => obx(`${at + 1}`, 'ED', `PDF${at}`, ed(pdf)))
    const chosen = (pdf: 'first' | 'last') =>
      bodyOf(mapHl7(anOrder({ OBX: segments }, mdm), { ...map, pdf })).document.attachment
    expect([chosen('first'), chosen('last')]).to.deep.equal([pdfs[0], pdfs[2]])
    expect(held(...segments)).to.contain('OBX-5: holds 3 PDFs')
  })

  it('is read in Base64 for URLs, and with characters or line breaks that were escaped', () => {
    const bytes = Buffer.from(`%PDF-1.4\n1 0 obj<</A (\xfb\xef\xff\xfe\xfb\xff>>>???)>>endobj\n${END}`, 'latin1')
    const base64 = bytes.toString('base64')
    expect(base64).to.match(/\+.*\/|\/.*\+/)
    const lines = base64.replace(/(.{40})/g, '$1\\X0D\\\\X0A\\')
    for (const written of [
      bytes.toString('base64url'),
      base64.replaceAll('+', '\\X2B\\').replaceAll('/', '\\X2F\\'),
      `${lines}\\X0D0A\\`,
    ])
      expect(pdfOf(obx('1', 'ED', 'PDF', ed(written))), written.slice(0, 60)).to.equal(base64)
  })

  it('is held when characters are not Base64, or follow its padding', () => {
    const padded = file(first, ' '.repeat(2 - (first.length % 3)))
    expect(padded).to.match(/[^=]=$/)
    expect(pdfOf(obx('1', 'ED', 'PDF', ed(padded)))).to.equal(padded)
    expect(pdfOf(obx('1', 'ED', 'PDF', ed(padded.slice(0, -1)))), 'without padding').to.equal(padded)
    expect(pdfOf(obx('1', 'ED', 'PDF', ed(`${padded}\\.br\\`))), 'a line break behind it').to.equal(padded)
    for (const value of [
      `${padded}${B}`,
      `${padded}\\X41\\`,
      `${padded}==`,
      `${A}!`,
      `${A.slice(0, 40)}*${A.slice(40)}`,
      `${A.slice(0, 40)}\\X2A\\${A.slice(40)}`,
      `${A}A`,
    ])
      expect(held(obx('1', 'ED', 'PDF', ed(value))), value.slice(-30)).to.contain('OBX-5')
  })

  it('in parts that were encoded one by one is held when a part between was cut', () => {
    const pieces = [first, second, `${last} `].map((text) => file(text, ' '.repeat(2 - (text.length % 3))))
    const whole = Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64')
    expect(pieces.every((piece) => piece.endsWith('='))).to.equal(true)
    expect(pdfOf(...numbered([], pieces))).to.equal(whole)
    const [one, two, three] = pieces as [string, string, string]
    expect(pdfOf(...numbered([], [one, two, three.slice(0, -1)])), 'the last one without padding').to.equal(whole)
    expect(held(...numbered([], [one, two.slice(0, -6), three]))).to.contain('OBX-5')
  })

  it('is found behind an empty repetition, and behind others that are no documents', () => {
    for (const value of [`~${ed(A)}`, `^text^plain~${ed(A)}`, `x~y^z~${ed(A)}`])
      expect(pdfOf(obx('1', 'ED', 'PDF', value)), value).to.equal(A)
    const broken = A.replace(/(.{40})/g, '$1~')
    for (const value of [ed(broken), `~${ed(broken)}`, broken, `data:application/pdf;base64,${broken}`])
      expect(pdfOf(obx('1', 'ED', 'PDF', value)), value).to.equal(A)
    expect(held(obx('1', 'ED', 'PDF', `${ed(broken)}~^text^plain`))).to.contain('a part is missing or comes twice')
    const two = [A, file('%PDF-1.4\n', second)]
    expect(held(obx('1', 'ED', 'PDF', two.join('~'))), 'two without components').to.contain('OBX-5: holds 2 PDFs')
  })

  it('begins with %PDF-, after a byte order mark or blanks alone', () => {
    expect(pdfOf(obx('1', 'ED', 'PDF', ed(file('\uFEFF', first))))).to.equal(A)
    expect(pdfOf(obx('1', 'ED', 'PDF', ed(file('\r\n ', first))))).to.equal(A)
    expect(held(obx('1', 'ED', 'PDF', ed(file('Letter: ', first))))).to.contain('OBX-5: holds no PDF')
  })

  it('counts in encapsulated data and text alone', () => {
    for (const type of ['ED', 'TX', 'FT', 'ST', '']) expect(pdfOf(obx('1', type, 'PDF', ed(A))), type).to.equal(A)
    for (const type of ['NM', 'CE']) expect(held(obx('1', type, 'PDF', ed(A))), type).to.contain('OBX-5: holds no PDF')
    expect(held(obx('1', 'RP', 'PDF', ed(A)))).to.equal('OBX-5: points to a document, and does not hold it')
  })
})

describe('An HL7 v2 message about two documents', () => {
  it('is one that is not read; one about a single document is, with blanks around its codes', () => {
    const MSH = String(mdm.MSH).replace('|P|', '| p |').replace('MDM^T02', ' MDM ^ T02 ')
    expect(bodyOf(became([obx('1', 'ED', 'PDF', ed(A))], mdm, { MSH })).document.attachment).to.equal(A)
  })

  it('is held when it has two TXA or two visits', () => {
    const other = String(mdm.TXA).replace('DOC-000123', 'DOC-000124')
    expect(heldBy(became([obx('1', 'ED', 'PDF', ed(A))], mdm, { TXA: [String(mdm.TXA), other] })).join()).to.contain(
      'TXA: several, where a message about one document has one',
    )
    const visits = { PV1: [String(mdm.PV1), 'PV1|2|I'] }
    expect(heldBy(became([obx('1', 'ED', 'PDF', ed(A))], mdm, visits)).join()).to.contain('PV1: several')
  })
})

describe('An HL7 v2 message that is a part of another one', () => {
  const whole = obx('1', 'ED', 'PDF', ed(A))
  for (const [place, more] of [
    ['MSH-14', { MSH: 'MSH|^~\\&|EPIC|LAKE|CS|CS|20260116080000||MDM^T02^MDM_T02|MSG1|P|2.5.1||77' }],
    ['DSC-1', { DSC: 'DSC|77|F' }],
    ['ADD-1', { ADD: `ADD|${B}` }],
  ] as const)
    it(`is held, by ${place}`, () =>
      expect(heldBy(became([whole], mdm, more)).join()).to.contain(`${place}: divides the message`))

  it('is read when none of them says anything', () =>
    expect(bodyOf(became([whole], mdm, { DSC: 'DSC||' })).document.attachment).to.equal(A))
})
