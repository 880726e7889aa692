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
    ])
      expect(pdfOf(obx('1', 'ED', 'PDF', ed(WHOLE)), other), other.slice(0, 60)).to.equal(WHOLE)
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
