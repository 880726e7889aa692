/** Which texts are ids, names and NPIs, and which only fill a field that requires one. */
import { expect } from 'chai'
import { createFindings, MOST_FINDINGS } from '../../../lib/mapping/findings.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapFiles } from '../../../lib/mapping/map-files.ts'
import { hasCheckDigit, isNpiLabel, judgeSigner } from '../../../lib/mapping/npi.ts'
import { isPlaceholder } from '../../../lib/mapping/placeholder.ts'
import { tableFromCsv } from '../../../lib/mapping/tables/table-from-csv.ts'
import { type GivenName, usableNames } from '../../../lib/mapping/usable-names.ts'
import { anIndex, asCsv, asJson } from '../../support/hl7/an-index.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

describe('An id', () => {
  it('is no id when it only says that there is none', () => {
    const none = [
      ...['', ' ', '-', '...', '0', '000-00', '0000000000', 'xxxx', 'XX', 'XXX', '9999', 'aaaa', '~~~~'],
      ...['UNK', 'unk.', 'N/A', 'na', 'null', 'NIL', 'TBD', 'John Doe', 'JANE-DOE', 'asku'],
      ...['UNKNOWN', 'Unknown1', 'UNKNOWN 12', 'not on file', 'TO BE ASSIGNED', 'see note', 'No MRN', 'NEW PATIENT'],
      ...['#N/A', '#REF!', '#NAME?', '#NULL!', ' #DIV/0! ', 'pending', 'TestPatient'],
      'UNKNOWN '.repeat(8).trim(),
      `${'UNKNOWN'.repeat(7)}UNKNOWNNONE`.slice(0, 60),
    ]
    for (const text of none) expect(isPlaceholder(text), JSON.stringify(text)).to.equal(true)
  })

  it('is one in all other forms', () => {
    const ids = [
      ...['1', '7', '01', '10', 'A', 'XXXY', 'xx1', '999', 'aaa', 'UNKNOWN123', 'UNKNOWN1A', 'UNKX', 'NA1', 'NULL7'],
      ...['WC100098', 'MRN-1', 'TEST1', 'ID7', 'Notter', 'NOTED', '#1234', '#ABC-1', 'x#N/A', '#N/A1', '#TOOLONGTEXT'],
      'UNKNOWN '.repeat(9).trim(),
    ]
    for (const text of ids) expect(isPlaceholder(text), JSON.stringify(text)).to.equal(false)
  })
})

describe('The names of a patient', () => {
  const name = (family: string, given: string[], change: Partial<GivenName> = {}): GivenName => ({
    ...{ place: 'N', use: null, family, given },
    ...change,
  })
  const usable = (...names: GivenName[]) => {
    const findings = createFindings()
    const sent = usableNames(names, 'all', findings)
    return { sent, held: findings.held, warnings: findings.warnings, origins: findings.origins }
  }

  it('come in the order of their use, whatever the order of the message', () => {
    const names = [
      name('Nick', ['A'], { use: 'nickname', place: 'N1' }),
      name('Usual', ['B'], { use: 'usual', place: 'N2' }),
      name('Plain', ['C'], { place: 'N3' }),
      name('Official', ['D', 'E'], { use: 'official', place: 'N4' }),
      name('Second', ['F'], { use: 'official', place: 'N5' }),
    ]
    const { sent, held, origins } = usable(...names)
    expect(sent.map(({ family }) => family)).to.deep.equal(['Official', 'Second', 'Usual', 'Nick', 'Plain'])
    expect(sent[0]).to.deep.equal({ use: 'official', family: 'Official', given: ['D', 'E'] })
    expect([held, origins['patient.names[0]']]).to.deep.equal([[], 'N4'])
  })

  it('need both parts: others are omitted with a warning, and none holds the message', () => {
    const { sent, warnings, held } = usable(
      name('Rowan', []),
      name('', ['Tess']),
      name('', []),
      name('Rowan', ['Tess']),
    )
    expect([sent.length, held]).to.deep.equal([1, []])
    expect(warnings).to.deep.equal([
      'N: left out, because it has no given name',
      'N: left out, because it has no family name',
    ])
    expect(usable(name('Rowan', [])).held).to.deep.equal(['all: has no name with both a family name and a given name'])
    expect(usable().held).to.have.length(1)
  })

  it('hold the message for a character that was lost, in any part', () => {
    for (const wrong of [name('R\ufffdwan', ['Tess']), name('Rowan', ['Tess', 'M\x07y']), name('\x85', ['Tess'])])
      expect(usable(wrong).held).to.deep.equal(['N: has a character that cannot be read'])
    expect(usable(name('Ro\twan\r\n', ['Tess'])).held).to.deep.equal([])
  })

  it('hold the message for a word in place of a given name', () => {
    for (const given of [
      'Baby',
      'BABY BOY',
      'baby-girl',
      'Newborn, Male',
      'Infant A',
      'Baby Boy 2',
      'BB',
      'bg1',
      'NB12',
      'Test',
    ])
      expect(usable(name('Rowan', [given])).held, given).to.have.length(1)
    for (const given of ['Babette', 'Tess', 'A', 'Boyd', 'Maleka', 'B', 'BBC', 'Malek', 'Babyboyx'])
      expect(usable(name('Rowan', [given])).held, given).to.deep.equal([])
    expect(
      usable(name('Rowan', ['Baby'], { use: 'nickname' }), name('Rowan', ['Tess'], { use: 'usual' })).held,
    ).to.deep.equal([])
  })
})

describe('An NPI', () => {
  it('has a check digit, and a label that says that it is one', () => {
    expect(['9999900019', '1234567893'].map(hasCheckDigit)).to.deep.equal([true, true])
    expect(['9999900018', '1234567890', '9999900091'].map(hasCheckDigit)).to.deep.equal([false, false, false])
    for (const label of ['NPI', 'npi', 'US-NPI', 'USNPI', 'CMS NPI', 'us_npi', 'NPPES', '2.16.840.1.113883.4.6'])
      expect(isNpiLabel(label), label).to.equal(true)
    for (const label of ['', 'NPIX', 'XNPI', 'DE-NPI', 'US--NPI', 'XNPPES', 'NPPESX', '2.16.840.1.113883.4.60', 'UPIN'])
      expect(isNpiLabel(label), label).to.equal(false)
  })

  it('of an organization holds the message, and one with another check digit warns', () => {
    const judged = (npi: string) => {
      const findings = createFindings()
      judgeSigner(npi, 'P', readMapFile({ organizations: { LAKE: '9999901017' } }), findings)
      return [...findings.held, ...findings.warnings]
    }
    expect(judged('9999901017')).to.deep.equal(['P: is an organization; the signer must be a person'])
    expect(judged('9999900018')).to.deep.equal(['P: the check digit of the NPI is wrong; check for a mistyped digit'])
    expect(judged('9999900019')).to.deep.equal([])
  })
})

describe('An index', () => {
  const PDF = Buffer.from('%PDF-1.7\n%%EOF')
  const MAP = { documentTypes: { CMS485: { documentTypeId: 101 } } }
  const mapped = (change: Record<string, unknown>, map: object = {}) =>
    mapFiles({ index: asJson(anIndex(change)), kind: 'json', pdf: PDF }, readMapFile({ ...MAP, ...map }))

  it('may have a diagnosis, and the sex by letters or words', () => {
    expect(bodyOf(mapped({ diagnosis: ' I50.9 ' })).document.diagnosisCode).to.equal('I50.9')
    expect(bodyOf(mapped({ diagnosis: '' })).document).to.not.have.property('diagnosisCode')
    const sex = (code: string) => bodyOf(mapped({ sex: code }, { sexOther: 'Ambiguous' })).patient.sex
    expect(['m', 'Male', 'F', 'female', 'U', 'unknown', 'a'].map(sex)).to.deep.equal([
      ...['Male', 'Male', 'Female', 'Female', 'Unknown', 'Unknown', 'Ambiguous'],
    ])
    for (const code of ['', 'O', 'other', 'N', 'X']) {
      const one = mapped({ sex: code }, { sexOther: 'Ambiguous' })
      expect(bodyOf(one).patient.sex).to.equal('Ambiguous')
      expect(one.ok && one.warnings.join()).to.contain('sex: is sent as Ambiguous, as sexOther of the map says')
    }
  })

  it('has a Social Security Number as the map says, and no placeholder of one', () => {
    const ssn = (value: string, setting: string) =>
      bodyOf(mapped({ ssn: value }, { ssn: setting })).patient.identifiers?.filter(
        ({ authority }) => authority !== 'mrn',
      )
    expect(ssn('123-45-6788', 'full')).to.deep.equal([{ authority: 'ssn', value: '123456788' }])
    expect(ssn('123-45-6788', 'never')).to.deep.equal([])
    for (const none of ['000000000', '111-11-1111', '999-99-9999']) expect(ssn(none, 'full'), none).to.deep.equal([])
    const masked = mapped({ ssn: '000-00-0000' }, { ssn: 'full' })
    expect(masked.ok && masked.warnings.join()).to.contain('ssn: is not sent, because it is not a valid')
  })

  it('sends the organization that it names, and none where it names none', () => {
    expect(bodyOf(mapped({ organization: '' })).performers[0]).to.not.have.property('organization')
    const none = mapped({ organization: '' })
    expect(none.ok && none.warnings.join()).to.contain('organization: does not identify an organization')
    expect(none.ok && none.action !== 'retract' && none.origins).to.include({
      ...{ 'document.attachment': 'the PDF', 'patient.sex': 'sex' },
      'document.documentTypeId': 'documentType, by the table documentTypes',
    })
  })

  it('is held where an id begins as a spreadsheet marks it, and only there', () => {
    for (const mark of ['=', "'", '`', '’'])
      expect(heldBy(mapped({ documentId: `${mark}7` })).join()).to.contain('documentId: begins as a spreadsheet marks')
    for (const shortened of ['1.23457E+11', '1,2E+5', '-7e+3', '+1E+9'])
      expect(heldBy(mapped({ documentId: shortened })).join()).to.contain(
        'documentId: is a number that a spreadsheet has',
      )
    expect(bodyOf(mapped({ documentId: '1E5' })).document.externalDocId).to.equal('1E5')
    expect(bodyOf(mapped({ documentId: "O'Hara=7" })).document.externalDocId).to.equal("O'Hara=7")
    expect(heldBy(mapped({ documentId: '#REF!' })).join()).to.contain(
      'documentId: is a placeholder; give each document',
    )
  })

  it('is as long as one document needs', () => {
    const long = (length: number) => mapped({ street: 'x'.repeat(length) })
    expect(heldBy(long(256 * 1024)).join()).to.contain('index: has more than 256 kB')
    expect(heldBy(long(200_000)).join()).to.not.contain('256 kB')
  })

  it('in CSV has a line with names, and one with values', () => {
    const csv = (text: string) =>
      heldBy(mapFiles({ index: Buffer.from(text), kind: 'csv', pdf: PDF }, readMapFile(MAP))).join()
    for (const text of ['', 'a;b', '\n']) expect(csv(text), text).to.contain('index: needs a line with the names')
    expect(csv(`${asCsv(anIndex())}\n1;2`)).to.contain('has several documents')
    const american = readMapFile({ ...MAP, dates: 'MDY' })
    const day = mapFiles(
      { index: asJson(anIndex({ birthDate: '6/7/1952', date: '12/31/2025' })), kind: 'json', pdf: PDF },
      american,
    )
    expect([bodyOf(day).patient.birthDate, bodyOf(day).document.effectiveDate]).to.deep.equal([
      '1952-06-07',
      '2025-12-31',
    ])
    for (const text of ['195206071', '1952-06-07x', 'x19520607', '1952-06-07T08:00'])
      expect(heldBy(mapped({ birthDate: text })).join(), text).to.contain('birthDate: is not a full date')
    expect(mapped({})).to.include({ ok: true, action: 'create' })
    for (const text of ['6/7/52', 'x6/7/1952', '6/7/1952x', '31/12/2025'])
      expect(heldBy(mapped({ birthDate: text }, { dates: 'MDY' })).join(), text).to.contain(
        'birthDate: is not a full date',
      )
  })
})

describe('A table of the map', () => {
  it('needs each of its columns, once, and no others', () => {
    expect(tableFromCsv('documentTypes', 'code,documentTypeId\nA,101')).to.deep.equal({ A: { documentTypeId: 101 } })
    for (const text of [
      'code\nA',
      'code,documentTypeId,code\nA,101,B',
      'code,documentTypeId,x\nA,101,1',
      'x\n',
      'documentTypeId\n101',
    ])
      expect(() => tableFromCsv('documentTypes', text), text).to.throw('line 1')
    expect(() => tableFromCsv('documentTypes', 'code,documentTypeId\nA,101,5')).to.throw(
      'no more cells than the header has',
    )
    expect(tableFromCsv('documentTypes', 'code,documentTypeId\nA,101,')).to.deep.equal({ A: { documentTypeId: 101 } })
  })
})

describe('What is found in a message', () => {
  it('is listed once, a hundred at most, and then says that there is more', () => {
    const findings = createFindings()
    for (let count = 0; count < MOST_FINDINGS + 5; count++) findings.hold(`P${count}`, 'x')
    findings.hold('P0', 'x')
    expect(findings.held).to.have.length(MOST_FINDINGS + 1)
    expect(findings.held.at(-1)).to.equal('More was found, which is not listed; correct these first.')
    expect(findings.warnings).to.deep.equal([])
  })
})
