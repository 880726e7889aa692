/** What becomes of a PDF and its index: the request, or every reason why they are held. */
import { expect } from 'chai'
import fc from 'fast-check'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapFiles } from '../../../lib/mapping/map-files.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { anIndex, asCsv, asJson } from '../../support/hl7/an-index.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'
import { SIGNER } from '../../support/service/order.ts'

const PDF = Buffer.from('%PDF-1.7\n%%EOF')
const MAP = {
  documentTypes: { CMS485: { documentTypeId: 101, templateId: 201 } },
  organizations: { LAKESIDE: '9999901017' },
}

const mapped = (index: object, map: object = {}, pdf: Uint8Array | null = PDF): Mapped =>
  mapFiles({ index: asJson(index), kind: 'json', pdf }, readMapFile({ ...MAP, ...map }))
const csv = (text: string | Uint8Array, map: object = {}): Mapped =>
  mapFiles({ index: Buffer.from(text), kind: 'csv', pdf: PDF }, readMapFile({ ...MAP, ...map }))

describe('mapFiles', () => {
  it('makes the same request of an index in JSON and in CSV', () => {
    const { patient, performers, document } = bodyOf(mapped(anIndex()))
    expect(patient).to.deep.equal({
      externalId: 'WILLOW|WC100098',
      names: [{ use: 'official', family: 'Rowan', given: ['Tess'] }],
      sex: 'Female',
      birthDate: '1952-06-07',
      addresses: [{ line: '98 Birch Lane', city: 'Duluth', state: 'MN', postalCode: '55802' }],
      identifiers: [{ authority: 'mrn', value: 'WC100098' }],
      telecoms: [{ system: 'phone', value: '218-555-0198', use: null }],
    })
    expect(performers).to.deep.equal([{ signer: { userNPI: SIGNER.idle }, organization: { orgNPI: '9999901033' } }])
    expect(document).to.deep.equal({
      attachment: PDF.toString('base64'),
      documentTypeId: 101,
      effectiveDate: '2026-01-15',
      externalDocId: 'ORDER-1',
      annotations: { type: 'SmartAnnotations', templateId: 201 },
    })
    expect(csv(asCsv(anIndex()))).to.deep.equal(mapped(anIndex()))
    expect(csv(`\ufeff${asCsv(anIndex())}\r\n`)).to.deep.equal(mapped(anIndex()))
  })

  it('takes codes and columns by the map', () => {
    const { signer, family, ...index } = anIndex({ organization: 'LAKE', patientIdAuthority: '' })
    const map = {
      columns: { signer: 'Arzt', family: 'Nachname' },
      signers: { RC: SIGNER.idle },
      organizations: { LAKE: '9999901017' },
      mrnAuthority: 'WILLOW',
    }
    const { patient, performers } = bodyOf(mapped({ ...index, Arzt: 'RC', Nachname: family }, map))
    expect(patient.externalId).to.equal('WILLOW|WC100098')
    expect(performers).to.deep.equal([{ signer: { userNPI: signer }, organization: { orgNPI: '9999901017' } }])
  })

  it('reads CSV in the character set of the map', () => {
    const text = Buffer.from(asCsv(anIndex({ family: 'Núñez' })), 'latin1')
    expect(heldBy(csv(text))).to.deep.equal(['index: is not valid in the character set that charset in the map names'])
    expect(bodyOf(csv(text, { charset: '8859/1' })).patient.names[0]!.family).to.equal('Núñez')
  })

  it('takes back and replaces what was sent, when the index says so', () => {
    expect(mapped({ action: 'retract', documentId: 'ORDER-1' }, {}, null)).to.deep.equal({
      ok: true,
      action: 'retract',
      externalDocId: 'ORDER-1',
      warnings: [],
    })
    expect(mapped(anIndex({ action: 'Replace' }))).to.include({ ok: true, action: 'replace' })
    const replacing = { ok: true, action: 'replace', replaces: ['ORDER-0'] }
    expect(mapped(anIndex({ replaces: 'ORDER-0' }))).to.deep.include(replacing)
    expect(mapped(anIndex({ action: 'replace', replaces: 'ORDER-0' }))).to.deep.include(replacing)
    for (const action of ['create', 'retract'])
      expect(heldBy(mapped(anIndex({ action, replaces: 'ORDER-0' })))).to.deep.equal([
        'replaces: only with action replace',
      ])
    expect(heldBy(mapped(anIndex({ replaces: 'PENDING' })))).to.deep.equal([
      'replaces: is a placeholder; give the id of the document that is replaced',
    ])
    expect(heldBy(mapped(anIndex({ action: 'cancel' })))).to.deep.equal(['action: none of create, replace, retract'])
  })

  const traps: [what: string, index: Record<string, unknown>, reason: string][] = [
    [
      'a day that may be another one',
      { birthDate: '3/4/1948' },
      'birthDate: is not a full date (YYYY-MM-DD or YYYYMMDD)',
    ],
    ['a day that does not exist', { date: '2026-02-30' }, 'date: is not a full date (YYYY-MM-DD or YYYYMMDD)'],
    ['a month without a day', { birthDate: '194803' }, 'birthDate: is not a full date (YYYY-MM-DD or YYYYMMDD)'],
    ['no day', { date: '' }, 'date: no date'],
    [
      'a code that is not in the table',
      { documentType: '485' },
      'documentType: the code "485" is not in documentTypes of the map',
    ],
    [
      'a name of the prototype as code',
      { documentType: 'constructor' },
      'documentType: the code "constructor" is not in documentTypes of the map',
    ],
    ['no code', { documentType: '' }, 'documentType: has no document type code'],
    ['has no id of the document', { documentId: ' ' }, 'documentId: has no id of the document'],
    ['an organization as signer', { signer: '9999901017' }, 'signer: is an organization; the signer must be a person'],
    ['no signer', { signer: '' }, 'signer: does not identify a signer'],
    ['an NPI with a wrong digit', { signer: '9999900036' }, 'signer: is not an NPI, and is not in signers of the map'],
    [
      'an organization that nobody knows',
      { organization: 'LAKE' },
      'organization: is not an NPI, and is not in organizations of the map',
    ],
    [
      'no id of the patient',
      { patientId: '' },
      'patientId: has no id of the type MR, or PI, from the authority in mrnAuthority',
    ],
    ['no given name', { given: '' }, 'family: has no name with both a family name and a given name'],
    [
      'a stand-in for a given name',
      { given: 'Baby Boy' },
      'family: is a placeholder for a given name, which could match other patients',
    ],
    ['a code of the sex that nobody knows', { sex: 'W' }, 'sex: is not one of M, F, U, A, O, or their words'],
    ['no postal code', { postalCode: null }, 'postalCode: is empty; the postal code of the patient is required'],
    ['a list', { phone: ['218-555-0198'] }, 'phone: is not a string or a number'],
  ]
  for (const [what, change, reason] of traps)
    it(`holds ${what}`, () => expect(heldBy(mapped(anIndex(change)))).to.deep.equal([reason]))

  it('holds numbers that JSON rounds, and reads them as text', () => {
    for (const number of ['9007199254740993', '90071992547409931', '-9007199254740993', '1e30']) {
      const text = JSON.stringify(anIndex()).replace('"WC100098"', number)
      expect(heldBy(mapFiles({ index: Buffer.from(text), kind: 'json', pdf: PDF }, MAP))).to.include(
        'patientId: is a number that JSON readers round; write it as a string',
      )
    }
    expect(bodyOf(mapped(anIndex({ documentId: '9007199254740993' }))).document.externalDocId).to.equal(
      '9007199254740993',
    )
  })

  it('reads a day as month, day and year only where the map says so', () => {
    const index = anIndex({ birthDate: '3/4/1948', date: '2026-01-15' })
    expect(bodyOf(mapped(index, { dates: 'MDY' })).patient.birthDate).to.equal('1948-03-04')
    expect(heldBy(mapped(anIndex({ birthDate: '13/4/1948' }), { dates: 'MDY' }))).to.have.length(1)
  })

  it('takes a given name of one letter, and no placeholder for a name or an id', () => {
    expect(bodyOf(mapped(anIndex({ given: 'J' }))).patient.names[0]?.given).to.deep.equal(['J'])
    for (const given of ['Newborn1', 'BG', 'Baby Girl A', 'Unknown'])
      expect(mapped(anIndex({ given })).ok, given).to.equal(false)
    expect(mapped(anIndex({ documentId: 'PENDING' })).ok).to.equal(false)
    expect(mapped(anIndex({ patientId: 'UNKNOWN' })).ok).to.equal(false)
  })

  it('holds a PDF that is cut off, and a second one behind the first', () => {
    expect(heldBy(mapped(anIndex(), {}, PDF.subarray(0, -2)))).to.deep.equal(['PDF: is a PDF without its end'])
    expect(heldBy(mapped(anIndex(), {}, Buffer.concat([PDF, Buffer.from('\n'), PDF])))).to.deep.equal([
      'PDF: holds a second PDF after the first',
    ])
  })

  it('tells every reason at once', () => {
    expect(heldBy(mapped({}))).to.have.length.greaterThan(7)
  })

  it('holds what is no PDF, and a document without one', () => {
    expect(heldBy(mapped(anIndex(), {}, Buffer.from('PK\x03\x04')))).to.deep.equal(['PDF: is none'])
    expect(heldBy(mapped(anIndex(), {}, null))).to.deep.equal(['PDF: there is none'])
  })

  it('holds an index that cannot be read', () => {
    const index = anIndex()
    const [head, row] = asCsv(index).split('\r\n')
    expect(
      [
        `${head}\r\n${row}\r\n${row}`,
        `${head}`,
        `${head};more\r\n${row}`,
        `${head};"city"\r\n${row};x`,
        `${head}\r\n"x`,
      ].map((text) => heldBy(csv(text))),
    ).to.deep.equal([
      ['index: has several documents; each needs an index of its own'],
      ['index: needs a line with the names of the columns, and a line with their values'],
      ['index: line 2: 16 cells, where the first line has 17'],
      ['index: has two columns of one name'],
      ['index: line 2: the quotation marks do not enclose a cell'],
    ])
    const broken: [Buffer, string][] = [
      [Buffer.from('[]'), 'is not a JSON object'],
      [Buffer.from('{"a":'), 'is not JSON'],
      [Buffer.from([0x7b, 0xff, 0x7d]), 'is not UTF-8'],
      [Buffer.from('{"patientId":"1","patientId":"2"}'), 'has an object with one name twice'],
    ]
    for (const [bytes, reason] of broken)
      expect(heldBy(mapFiles({ index: bytes, kind: 'json', pdf: PDF }, readMapFile(MAP)))).to.deep.equal([
        `index: ${reason}`,
      ])
  })

  it('sends the patient and the signer that the index names, or holds it, whatever is in it', () => {
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('WC100098', SIGNER.idle, '', 'Baby', '19520607', '\u0000'),
      fc.integer(),
      fc.constant(null),
    )
    const names = Object.keys(anIndex()) as (keyof ReturnType<typeof anIndex>)[]
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }), (changes) => {
        const index = anIndex(changes)
        const result = mapped(index)
        if (!result.ok || result.action === 'retract') return
        const said = (name: keyof typeof index) => String(index[name]).trim()
        expect(result.body.patient.externalId).to.equal(
          [said('patientIdAuthority'), said('patientId')].filter((part) => part !== '' && part !== 'null').join('|'),
        )
        expect(result.body.performers[0]!.signer.userNPI).to.equal(said('signer'))
        expect(result.body.patient.birthDate.replaceAll('-', '')).to.equal(said('birthDate').replaceAll('-', ''))
      }),
      { numRuns: 500, seed: 18 },
    )
  })
})
