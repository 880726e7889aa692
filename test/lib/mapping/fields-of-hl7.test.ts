/** Fields of HL7 v2 that hold more, less or something else than a reader expects. */
import { expect } from 'chai'
import type { MapFileInput } from '../../../lib/mapping/map-file.ts'
import { mdm, oru, PDF, type Segments } from '../../support/hl7/an-order.ts'
import { mapped, pid, txa } from '../../support/hl7/mapped-order.ts'
import { bodyOf, heldBy, warningsOf } from '../../support/hl7/what-became.ts'

const msh = (...change: [string, string][]) =>
  change.reduce((header, [from, to]) => header.replace(from, to), String(mdm.MSH))
const cut = msh(['^~\\&', '^~\\&#'], ['2.5.1', '2.7'])
const parts = (fields: (number: number, part: string) => string, ...at: number[]): Segments => ({
  OBX: [0, ...at].map((from, index) => fields(index + 1, PDF.slice(from, at[index]))),
})

describe('An id in HL7 v2', () => {
  const patientOf = (changes: Segments, map: MapFileInput = {}) => bodyOf(mapped(changes, map)).patient.externalId

  it('keeps what follows an ampersand that the sender did not escape', () => {
    expect(patientOf(pid(3, '4400&17^^^WILLOW^MR'))).to.equal('WILLOW|4400&17')
    expect(bodyOf(mapped(txa(12, 'DOC&7^EPIC'))).document.externalDocId).to.equal('EPIC|DOC&7')
    expect(heldBy(mapped(txa(10, '9999900019&7^Marsh^Helen'))).join()).to.contain('TXA-10')
    expect(heldBy(mapped(txa(2, 'CMS485&7'))).join()).to.contain('TXA-2')
  })

  it('does not count when its authority was cut short', () => {
    expect(heldBy(mapped({ ...pid(3, 'WC100098^^^WILL#^MR'), MSH: cut })).join()).to.contain('PID-3(1): was cut short')
    expect(heldBy(mapped({ ...txa(12, 'DOC-1^EP#'), MSH: cut })).join()).to.contain('TXA-12: was cut short')
  })

  it('does not count when the message says that it was merged into another', () => {
    const both = { ...pid(3, 'WC1^^^WILLOW^MR~WC2^^^WILLOW^MR'), MRG: 'MRG|WC1^^^WILLOW^MR' }
    expect(patientOf(both)).to.equal('WILLOW|WC2')
    expect(heldBy(mapped({ ...pid(3, 'WC1^^^WILLOW^MR'), MRG: 'MRG|WC1^^^WILLOW^MR' })).join()).to.contain('MRG-1')
  })

  it('is held where a field that holds one has several', () => {
    expect(heldBy(mapped(txa(12, 'D-1^EPIC~D-2^EPIC'))).join()).to.contain('TXA-12')
    expect(heldBy(mapped(pid(7, '19520607~19520608'))).join()).to.contain('PID-7')
    expect(heldBy(mapped(pid(8, 'F~M'))).join()).to.contain('PID-8')
  })

  it('of the other party is not an alias when it is a placeholder', () => {
    const result = mapped({ OBR: String(oru.OBR).replace('P-77', 'PENDING') }, {}, oru)
    expect(result).to.not.have.property('aliases')
    expect(mapped({}, {}, oru)).to.deep.include({ aliases: ['EPIC|P-77'] })
  })
})

describe('A message in HL7 v2', () => {
  it('from an archive or an initial load is held', () => {
    expect(heldBy(mapped({ MSH: msh(['|P|', '|P^A|']) })).join()).to.contain('MSH-11.2')
    expect(mapped({ MSH: msh(['|P|', '|P^T|']) }).ok).to.equal(true)
  })

  it('has names, addresses and numbers that are in use and whole', () => {
    const names = (value: string) => bodyOf(mapped(pid(5, value))).patient.names.map(({ family }) => family)
    expect(names('Alias^Al^^^^^S~Rowan^Tess^^^^^L~Former^Tess^^^^^NOUSE')).to.deep.equal(['Rowan'])
    expect(names('&van der&Berg^Tess')).to.deep.equal(['van der Berg'])
    const former = '1 Old Road^^Ely^MN^55731^^H^^^^^^^20250101'
    const current = '98 Birch Lane^^Duluth^MN^55802^^H'
    const { addresses } = bodyOf(mapped(pid(11, `${former}~${current}`))).patient
    expect(addresses.map(({ postalCode }) => postalCode)).to.deep.equal(['55802'])
    expect(heldBy(mapped(pid(11, former))).join()).to.contain('PID-11')
    expect(heldBy(mapped({ ...pid(11, '98 Birch#^^Duluth^MN^55802'), MSH: cut })).join()).to.contain('PID-11')
    const phone = mapped(pid(13, '2185550198^PRN^PH^^^^^^^^^^^20250101'))
    expect(bodyOf(phone).patient.telecoms).to.deep.equal([])
    expect(warningsOf(phone).join()).to.contain('PID-13(1): omitted')
  })

  it('is signed by one person, whatever ids that person has', () => {
    expect(heldBy(mapped(txa(10, 'R7^Marsh~9999900019^Marsh^Helen^^^^^^NPI'))).join()).to.contain('several signers')
    const license = txa(10, '1173^Quill^Oscar^^^^^^HUBA^L^^^SL')
    expect(heldBy(mapped(license, { signers: { 'HUBA|1173': '9999900019' } })).join()).to.contain('TXA-10')
  })

  it('has the kind of document that the table has for its code and coding system', () => {
    const typeOf = (value: string, documentTypes: MapFileInput['documentTypes']) =>
      mapped(txa(2, value), { documentTypes })
    const table = {
      'L|POC': { documentTypeId: 101 },
      'LN|52030-8': { documentTypeId: 104 },
      WC: { documentTypeId: 111 },
    }
    expect(bodyOf(typeOf('POC^Plan^L', table)).document.documentTypeId).to.equal(101)
    expect(bodyOf(typeOf('X^Plan^L^52030-8^Plan^LN', table)).document.documentTypeId).to.equal(104)
    expect(bodyOf(typeOf('WC^Wound^ANY', table)).document.documentTypeId).to.equal(111)
    expect(typeOf('POC^Plan^OTHER', table).ok).to.equal(false)
    expect(heldBy(typeOf('POC^Plan^L^52030-8^Plan^LN', table)).join()).to.contain('TXA-2: holds two codes')
  })

  it('takes nothing of an order from before the first order', () => {
    const OBR = String(oru.OBR).replace(/\|9999900019.*/, '')
    const person = 'PRT|1|UC||OP|9999900019^Marsh^Helen^^^^^^NPI'
    const text = (segments: readonly string[]) => segments.join('\r')
    const before = mapped({ PV1: text([String(oru.PV1), person]), OBR }, {}, oru)
    expect(heldBy(before).join()).to.contain('does not identify a signer')
    expect(mapped({ OBR: text([OBR, person]) }, {}, oru).ok).to.equal(true)
  })

  it('about a document of several orders, one of which has ended, is held', () => {
    expect(heldBy(mapped({ ORC: ['ORC|CA|P-1', 'ORC|NW|P-2'] })).join()).to.contain('ORC: several orders')
    expect(mapped({ ORC: ['ORC|NW|P-1', 'ORC|NW|P-2'] }).ok).to.equal(true)
  })
})

describe('A PDF in HL7 v2', () => {
  const bytesOf = (changes: Segments) => bodyOf(mapped(changes)).document.attachment
  const ed = (number: number | '', part: string, subId: number | '' = '') =>
    `OBX|${number}|ED|PDF^Document|${subId}|^application^pdf^Base64^${part}`

  it('in notes is joined, and has the status of its observation', () => {
    const notes = ['NTE|1||', 'NTE|2||'].map((note, index) => note + [PDF.slice(0, 30), PDF.slice(30)][index])
    const withNotes = (status: string) => ({ OBX: [`OBX|1|TX|REF||See notes||||||${status}`, ...notes].join('\r') })
    expect(bytesOf(withNotes('F'))).to.equal(PDF)
    expect(mapped(withNotes('W'))).to.include({ action: 'retract' })
    const lost = { OBX: ['OBX|1|TX|REF||See notes', notes[0], 'NTE|3||abcd', notes[1]].join('\r') }
    expect(heldBy(mapped(lost)).join()).to.contain('NTE-3')
  })

  it('has parts of any length, and no label of a component among them', () => {
    expect(bytesOf(parts(ed, 30, 32, 35))).to.equal(PDF)
    const emptied = parts((number, part) => ed(number, number === 2 ? '' : part), 28, 40)
    expect(heldBy(mapped(emptied)).join()).to.contain('missing or comes twice')
  })

  it('is held when a part that OBX-4 numbers comes twice', () => {
    const numbered = parts((number, part) => ed('', part, number), 28, 40)
    expect(bytesOf(numbered)).to.equal(PDF)
    const [first, second, third] = numbered.OBX as string[]
    expect(heldBy(mapped({ OBX: [first!, second!, second!, third!] })).join()).to.contain('comes twice')
  })

  it('is read with NUL, a byte order mark, or a data: label, however that is escaped', () => {
    expect(bytesOf({ OBX: ed(1, `\uFEFF${PDF}\0`) })).to.equal(PDF)
    expect(bytesOf({ OBX: ed(1, `data:application/pdf;base64,${PDF}`) })).to.equal(PDF)
    const MSH = msh(['^~\\&', ':~\\&']).replaceAll('^', ':')
    const others = Object.fromEntries(
      Object.entries(mdm).map(([name, segment]) => [name, String(segment).replaceAll('^', ':')]),
    )
    const OBX = `OBX|1|ED|PDF||:application:pdf:Base64:data\\S\\application/pdf;base64,${PDF}`
    expect(bytesOf({ ...others, MSH, OBX })).to.equal(PDF)
  })
})
