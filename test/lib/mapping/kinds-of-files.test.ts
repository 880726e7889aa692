/** Indexes of files of the kinds that once were guessed at, in other forms than those that were reported. */
import { expect } from 'chai'
import { mapFiles } from '../../../lib/mapping/map-files.ts'
import { anIndex, asCsv, asJson } from '../../support/hl7/an-index.ts'
import { PDF } from '../../support/hl7/an-order.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

const MAP = { documentTypes: { CMS485: { documentTypeId: 101 } } }
const pdf = Buffer.from(PDF, 'base64')
const mapped = (index: string | Buffer, kind: 'csv' | 'json' = 'csv', map: object = {}) =>
  mapFiles({ index: Buffer.from(index), kind, pdf }, { ...MAP, ...map })
const held = (...given: Parameters<typeof mapped>) => heldBy(mapped(...given)).join('; ')

describe('An index of a kind that was guessed at', () => {
  it('in CSV is read after a byte order mark, with each separator, line end and quotation', () => {
    const csv = asCsv(anIndex({ family: 'Rowan; "Tess"', street: '98 Birch Lane,\nrear' }))
    const separated = (separator: string) => csv.replaceAll('";"', `"${separator}"`)
    for (const text of [csv, separated(','), separated('\t'), csv.replace('\r\n', '\n'), csv.replace('\r\n', '\r')]) {
      const { patient, document } = bodyOf(mapped(`\uFEFF${text}\r\n\r\n`))
      expect(patient.names[0]?.family).to.equal('Rowan; "Tess"')
      expect(patient.addresses[0]?.line).to.equal('98 Birch Lane,\nrear')
      expect(document.externalDocId).to.equal('ORDER-1')
    }
  })

  it('keeps the zeros of ids, in CSV and in JSON', () => {
    const index = anIndex({ documentId: '000123', patientId: '00440011' })
    for (const result of [mapped(asCsv(index)), mapped(asJson(index), 'json')]) {
      expect(bodyOf(result).document.externalDocId).to.equal('000123')
      expect(bodyOf(result).patient.externalId).to.equal('WILLOW|00440011')
    }
  })

  for (const field of ['documentId', 'patientId', 'replaces', 'signer'])
    it(`is held when a spreadsheet has shortened ${field}`, () => {
      for (const value of ['1.23457E+11', '1,23457e+11', '9E+15']) {
        const index = anIndex({ [field]: value })
        expect(held(asCsv(index))).to.contain(`${field}: is a number that a spreadsheet has shortened`)
        expect(held(asJson(index), 'json')).to.contain(`${field}: is a number that a spreadsheet has shortened`)
      }
      expect(held(asCsv(anIndex({ documentId: '12E', patientId: 'E+11' })))).to.equal('')
    })

  for (const number of ['9007199254740993', '-9007199254740993', '1e21', '12345.5', '90071992547409931'])
    it(`is held when an id is the number ${number} in JSON`, () => {
      const text = asJson(anIndex()).toString().replace('"ORDER-1"', number)
      expect(held(text, 'json')).to.contain('documentId: is a number that JSON readers round; write it as a string')
    })

  it('is held when it says something twice', () => {
    const json = asJson(anIndex()).toString()
    for (const twice of ['"documentId":"ORDER-2"', '"document\\u0049d":"ORDER-1"', '"patientId" :"X"'])
      expect(held(json.replace('{', `{${twice},`), 'json')).to.contain('one name twice')
    const csv = asCsv(anIndex())
    expect(held(csv.replace('"patientId"', '"documentId "'))).to.contain('two columns of one name')
    expect(held(`${csv}\r\n${csv.split('\r\n')[1]}`)).to.contain('several documents')
  })

  it('is held when it is a list, or a value is one', () => {
    expect(held(`[${asJson(anIndex())}]`, 'json')).to.contain('is not a JSON object')
    for (const value of [['ORDER-1'], { id: 'ORDER-1' }, true])
      expect(held(asJson(anIndex({ documentId: value })), 'json')).to.contain('documentId')
  })

  it('is held when its characters are not those of the map', () => {
    const name = asCsv(anIndex({ family: 'Müller' }))
    expect(held(Buffer.from(name, 'latin1'))).to.contain('character set')
    expect(held(Buffer.from(`\uFEFF${name}`, 'utf16le'))).to.contain('character set')
    expect(held(Buffer.from(asJson(anIndex({ family: 'Müller' })).toString(), 'latin1'), 'json')).to.contain('UTF-8')
    expect(bodyOf(mapped(Buffer.from(name, 'latin1'), 'csv', { charset: '8859/1' })).patient.names[0]?.family).to.equal(
      'Müller',
    )
  })

  it('has its day as it is written, and is held where it is not one day', () => {
    for (const day of ['2026-01-15', '20260115', ' 20260115 '])
      expect(bodyOf(mapped(asCsv(anIndex({ date: day })))).document.effectiveDate).to.equal('2026-01-15')
    for (const day of ['2026-1-15', '01/02/2026', '2026-02-29', '46037', '2026-01-15T23:30:00Z', '15.01.2026', '2026'])
      expect(held(asCsv(anIndex({ date: day }))), day).to.contain('date: is not a full date')
  })
})
