import { expect } from 'chai'
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { anOrder, mdm, oru, PDF, type Segments } from '../../support/hl7/an-order.ts'

const usual: MapFileInput = {
  documentTypes: { CMS485: { documentTypeId: 101 } },
  organizations: { LAKE: '9999901017' },
}

const mapped = (changes: Segments = {}, map: MapFileInput = {}, base = mdm): Mapped =>
  mapHl7(anOrder(changes, base), readMapFile({ ...usual, ...map }))

const body = (result: Mapped) => {
  if (!result.ok || result.action === 'retract') throw new Error(`Not a body: ${JSON.stringify(result)}`)
  return result.body
}
const held = (result: Mapped): readonly string[] => (result.ok ? [] : result.held)
const warnings = (result: Mapped): readonly string[] => (result.ok ? result.warnings : [])

/** PID with one of its fields changed. */
const pid = (field: number, value: string): Segments => {
  const fields = String(mdm.PID).split('|')
  while (fields.length <= field) fields.push('')
  fields[field] = value
  return { PID: fields.join('|') }
}
const txa = (field: number, value: string): Segments => ({
  TXA: String(mdm.TXA).split('|').with(field, value).join('|'),
})

describe('A message in HL7 v2', () => {
  it('becomes a request', () =>
    expect(mapped()).to.deep.equal({
      ok: true,
      action: 'create',
      warnings: [],
      origins: {
        'patient.externalId': 'PID-3(1)',
        'patient.names[0]': 'PID-5(1)',
        'patient.sex': 'PID-8',
        'patient.birthDate': 'PID-7',
        'patient.addresses[0]': 'PID-11(1)',
        'patient.identifiers[0]': 'PID-3(1)',
        'patient.telecoms[0]': 'PID-13(1)',
        'performers[0].signer.userNPI': 'TXA-10(1)',
        'performers[0].organization.orgNPI': 'PV1-3, by the table organizations',
        'document.attachment': 'OBX[1]-5',
        'document.effectiveDate': 'TXA-4',
        'document.documentTypeId': 'TXA-2, by the table documentTypes',
        'document.externalDocId': 'TXA-12',
        'document.annotations': 'annotations of the map',
      },
      body: {
        patient: {
          externalId: 'WILLOW|WC100098',
          names: [{ use: 'official', family: 'Rowan', given: ['Tess', 'May'] }],
          sex: 'Female',
          birthDate: '1952-06-07',
          addresses: [{ line: '98 Birch Lane', city: 'Duluth', state: 'MN', postalCode: '55802' }],
          identifiers: [{ authority: 'mrn', value: 'WC100098' }],
          telecoms: [{ system: 'phone', value: '2185550198', use: 'home' }],
        },
        performers: [{ signer: { userNPI: '9999900019' }, organization: { orgNPI: '9999901017' } }],
        document: {
          attachment: PDF,
          effectiveDate: '2026-01-15',
          documentTypeId: 101,
          externalDocId: 'EPIC|DOC-000123',
          annotations: { type: 'SmartAnnotations' },
        },
      },
    }))

  it('of a result becomes a request', () => {
    const { document } = body(mapped({ OBX: `OBX|1|ED|PDF^Document|7|^application^pdf^Base64^${PDF}` }, {}, oru))
    expect(document).to.include({ externalDocId: 'LAB|F-88.7', effectiveDate: '2026-01-15', documentTypeId: 101 })
  })

  describe('about a patient', () => {
    const read: [trap: string, changes: Segments, map: MapFileInput, patient: object][] = [
      ['with leading zeros in his number', pid(3, '0048213^^^WILLOW^MR'), {}, { externalId: 'WILLOW|0048213' }],
      ['with an account number, which is no id', { ...pid(18, 'ACC1^^^W^AN') }, {}, { externalId: 'WILLOW|WC100098' }],
      [
        'with two numbers, of which one counts',
        pid(3, 'NF200013^^^NORTH^MR~WC100013^^^WILLOW^MR'),
        { mrnAuthority: 'WILLOW' },
        { externalId: 'WILLOW|WC100013', identifiers: [{ authority: 'mrn', value: 'WC100013' }] },
      ],
      ['with an internal id alone', pid(3, '42^^^WILLOW^PI'), {}, { externalId: 'WILLOW|42', identifiers: [] }],
      [
        'with punctuation in his number',
        pid(3, '00-48213^^^WILLOW^MR'),
        {},
        { externalId: 'WILLOW|00-48213', identifiers: [{ authority: 'mrn', value: '0048213' }] },
      ],
      ['with a number that is too long', pid(3, 'WC1000000011^^^WILLOW^MR'), {}, { identifiers: [] }],
      [
        'with a Social Security Number',
        pid(19, '123-45-6780'),
        {},
        {
          identifiers: [
            { authority: 'mrn', value: 'WC100098' },
            { authority: 'ssn4', value: '6780' },
          ],
        },
      ],
      [
        'with a Social Security Number that may be sent',
        pid(19, '123-45-6780'),
        { ssn: 'full' },
        {
          identifiers: [
            { authority: 'mrn', value: 'WC100098' },
            { authority: 'ssn', value: '123456780' },
          ],
        },
      ],
      [
        'with a Social Security Number that may not',
        pid(19, '123-45-6780'),
        { ssn: 'never' },
        { identifiers: [{ authority: 'mrn', value: 'WC100098' }] },
      ],
      [
        'with a masked Social Security Number',
        pid(19, 'XXX-XX-1234'),
        {},
        {
          identifiers: [
            { authority: 'mrn', value: 'WC100098' },
            { authority: 'ssn4', value: '1234' },
          ],
        },
      ],
      ...['000-12-3456', '666123456', '987654320', '123456789', '111111111'].map(
        (ssn): [string, Segments, MapFileInput, object] => [
          `with the stand-in ${ssn}`,
          pid(19, ssn),
          { ssn: 'full' },
          { identifiers: [{ authority: 'mrn', value: 'WC100098' }] },
        ],
      ),
      [
        'with a prefix of his family name',
        pid(5, 'van der Berg&van der&Berg^Ida^^^^^L'),
        {},
        { names: [{ use: 'official', family: 'van der Berg', given: ['Ida'] }] },
      ],
      [
        'with a nickname before his legal name',
        pid(5, 'Lund^Idy^^^^^N~Lund^Ida^Ann Beth^^^^L'),
        {},
        {
          names: [
            { use: 'official', family: 'Lund', given: ['Ida', 'Ann', 'Beth'] },
            { use: 'nickname', family: 'Lund', given: ['Idy'] },
          ],
        },
      ],
      [
        'with an incomplete alias',
        pid(5, 'Lund^Ida~Ida^^^^^^A'),
        {},
        { names: [{ use: 'official', family: 'Lund', given: ['Ida'] }] },
      ],
      [
        'with delimiters in his name',
        pid(5, 'Hart \\T\\ Rowe^Nora'),
        {},
        { names: [{ use: 'official', family: 'Hart & Rowe', given: ['Nora'] }], birthDate: '1952-06-07' },
      ],
      ...Object.entries({
        M: 'Male',
        F: 'Female',
        U: 'Unknown',
        A: 'Ambiguous',
        O: 'Unknown',
        N: 'Unknown',
        X: 'Unknown',
        '': 'Unknown',
      }).map(([code, sex]): [string, Segments, MapFileInput, object] => [
        `of the sex "${code}"`,
        pid(8, code),
        {},
        { sex },
      ]),
      ['of another sex, as the map says', pid(8, 'O'), { sexOther: 'Ambiguous' }, { sex: 'Ambiguous' }],
      [
        'born just before midnight, whatever the time zone',
        pid(7, '19520607235959-1100'),
        {},
        { birthDate: '1952-06-07' },
      ],
      [
        'with a bad address, and one without a postal code',
        pid(11, 'Lost^^Duluth^MN^55801^^BA~2 Oak^^Duluth^MN~1 Alder^Apt 2^Duluth^MN^55802-1234'),
        {},
        { addresses: [{ line: '1 Alder, Apt 2', city: 'Duluth', state: 'MN', postalCode: '55802-1234' }] },
      ],
      [
        'whose home is not the first address',
        pid(11, 'Work^^D^MN^55801^^O~Home^^D^MN^55802^^H'),
        {},
        {
          addresses: [
            { line: 'Home', city: 'D', state: 'MN', postalCode: '55802' },
            { line: 'Work', city: 'D', state: 'MN', postalCode: '55801' },
          ],
        },
      ],
      [
        'with an e-mail address',
        pid(13, '^NET^Internet^a@example.org'),
        {},
        { telecoms: [{ system: 'email', value: 'a@example.org' }] },
      ],
      [
        'with a number in parts',
        pid(13, '^PRN^CP^^1^218^5550101'),
        {},
        { telecoms: [{ system: 'phone', value: '1-218-5550101', use: 'mobile' }] },
      ],
      [
        'with a number of a later version',
        pid(13, '^WPN^PH^^^^^^^^^+1 218 555 0101'),
        {},
        { telecoms: [{ system: 'phone', value: '+1 218 555 0101', use: 'work' }] },
      ],
    ]
    for (const [trap, changes, map, patient] of read)
      it(trap, () => expect(body(mapped(changes, map)).patient).to.deep.include(patient))

    const refused: [trap: string, changes: Segments, reason: RegExp][] = [
      ['who is missing', { PID: null }, /^PID: no patient$/],
      ['and another one', { PID: [String(mdm.PID), String(mdm.PID)] }, /^PID: several patients$/],
      ['without an id', pid(3, 'ACC1^^^W^AN'), /^PID-3: no id of the type MR/],
      ['with two numbers', pid(3, 'NF200013^^^NORTH^MR~WC100013^^^WILLOW^MR'), /^PID-3: several ids .* mrnAuthority$/],
      ['with one name', pid(5, 'Prince'), /^PID-5: no name with a family name and a given name$/],
      ['who was just born', pid(5, 'Lund^BABYBOY'), /^PID-5\(1\): a stand-in for a given name/],
      ['of a sex that nobody knows', pid(8, 'Q'), /^PID-8: a code that table 0001 does not have$/],
      ['born in a year', pid(7, '1944'), /^PID-7: no calendar date to the day$/],
      ['born in a month', pid(7, '194410'), /^PID-7: no calendar date to the day$/],
      ['born on a day that does not exist', pid(7, '19440230'), /^PID-7: no calendar date/],
      ['whose date of birth is deleted', pid(7, '""'), /^PID-7: no date$/],
      ['without a postal code', pid(11, '9 Pine^^Duluth^MN'), /^PID-11: no address with a postal code$/],
    ]
    for (const [trap, changes, reason] of refused)
      it(`${trap} is held`, () => expect(held(mapped(changes)).join('\n')).to.match(new RegExp(reason.source, 'm')))
  })

  describe('about a signer', () => {
    const local = { signers: { D77: '9999900027' } }
    const npis: [trap: string, changes: Segments, npi: string][] = [
      ['who is labelled', txa(10, '9999900019^Marsh^Helen^^^^^^NPI'), '9999900019'],
      ['who is not labelled', txa(10, '9999900019^Marsh^Helen'), '9999900019'],
      ['who is among other ids', txa(10, 'EP123^Marsh~9999900019^Marsh^^^^^^^^^^^NPI'), '9999900019'],
      ['with an id of the hospital', txa(10, 'D77^Tate^Owen'), '9999900027'],
      [
        'with the dictating one, when nobody authenticates',
        { TXA: String(txa(9, '9999900027^Tate').TXA).replace(/\|9999900019[^|]*/, '|') },
        '9999900027',
      ],
    ]
    for (const [trap, changes, npi] of npis)
      it(trap, () => expect(body(mapped(changes, local)).performers[0]?.signer.userNPI).to.equal(npi))

    it('whose check digit is wrong warns, when the id is labelled', () =>
      expect(warnings(mapped(txa(10, '9999900018^Voss^Ian^^^^^^NPI')))).to.deep.equal([
        'TXA-10: the check digit of the NPI is wrong; is a digit mistyped?',
      ]))

    const refused: [trap: string, changes: Segments, reason: string][] = [
      [
        'whose id cannot be used, although another source names somebody',
        { ...txa(10, 'EP123^Marsh'), PV1: 'PV1|1|O|WARD^^^LAKE|||||9999900035^Calder' },
        'TXA-10: holds no NPI of a signer, and none of the ids in the table of signers',
      ],
      [
        'with ten digits that are no NPI',
        txa(10, '9999900018^Voss'),
        'TXA-10: holds no NPI of a signer, and none of the ids in the table of signers',
      ],
      [
        'and a second one',
        txa(10, '9999900019^Marsh~9999900027^Tate'),
        'TXA-10: names several signers, and a document has one',
      ],
      ['who is missing', txa(10, ''), 'TXA-10, TXA-9, TXA-5: names no signer'],
    ]
    for (const [trap, changes, reason] of refused)
      it(`${trap} is held`, () => expect(held(mapped(changes))).to.deep.equal([reason]))

    it('of an unknown facility goes to his primary organization, with a warning', () => {
      const result = mapped({ PV1: null, MSH: String(mdm.MSH).replace('LAKE', 'HARBOR') })
      expect(body(result).performers[0]).to.not.have.property('organization')
      expect(warnings(result)).to.deep.equal([
        'MSH-4: no facility in the table of organizations, so the primary organization of the signer receives the task',
      ])
    })
  })

  describe('about a document', () => {
    const whole = Buffer.from(PDF, 'base64')
    const obx = (value: string, type = 'ED') => ({ OBX: `OBX|1|${type}|PDF^Document||${value}` })
    const pdfs: [trap: string, changes: Segments][] = [
      ['in the fifth component', obx(`^application^pdf^Base64^${PDF}`)],
      ['with labels that say something else', obx(`^TEXT^plain^A^${PDF}`)],
      ['in the first component', obx(PDF, 'TX')],
      ['in the fourth component', obx(`^application^pdf^${PDF}`)],
      ['broken by line breaks', obx(`^^^Base64^${PDF.slice(0, 20)}\\.br\\${PDF.slice(20)}`)],
      ['broken by bytes of line breaks', obx(`^^^Base64^${PDF.slice(0, 20)}\\X0D0A\\${PDF.slice(20)}`)],
      ['broken by blanks', obx(`^^^Base64^${PDF.slice(0, 20)} ${PDF.slice(20)}`)],
      ['broken by repetitions', obx(`^^^Base64^${PDF.slice(0, 20)}~${PDF.slice(20)}`)],
      [
        'spread over segments',
        { OBX: [`OBX|1|TX|PDF^Document||${PDF.slice(0, 24)}`, `OBX|2|TX|PDF^Document||${PDF.slice(24)}`] },
      ],
      [
        'before words that look like Base64',
        { OBX: [`OBX|1|ED|PDF^Document||^^^^${PDF}`, 'OBX|2|TX|PDF^Document||Reviewed'] },
      ],
      ['after other observations', { OBX: ['OBX|1|NM|WT||72', `OBX|2|ED|PDF^Document||^^^^${PDF}`] }],
    ]
    for (const [trap, changes] of pdfs)
      it(`with its PDF ${trap}`, () =>
        expect(Buffer.from(body(mapped(changes)).document.attachment, 'base64')).to.deep.equal(whole))

    const other = Buffer.from('%PDF-1.7\nother\n%%EOF').toString('base64')
    const both = { OBX: [`OBX|1|ED|PDF^A||^^^^${PDF}`, `OBX|2|ED|PDF^B||^^^^${other}`] }
    it('with two PDFs takes the one that the map says', () => {
      expect(body(mapped(both, { pdf: 'first' })).document.attachment).to.equal(PDF)
      expect(body(mapped(both, { pdf: 'last' })).document.attachment).to.equal(other)
    })

    it('with a template for its type names it', () =>
      expect(
        body(mapped({}, { documentTypes: { CMS485: { documentTypeId: 101, templateId: 201 } } })).document.annotations,
      ).to.deep.equal({ type: 'SmartAnnotations', templateId: 201 }))

    const diagnoses: [trap: string, segments: string[], code: string | undefined][] = [
      ['of ICD-10', ['DG1|1||I50.9^Heart failure^I10'], 'I50.9'],
      [
        'of which one is primary',
        ['DG1|1||J44.9^COPD^I10||||||||||||2', 'DG1|2||I50.9^Heart failure^I10C||||||||||||1'],
        'I50.9',
      ],
      ['of ICD-9, which means something else', ['DG1|1||428.0^Heart failure^I9'], undefined],
    ]
    for (const [trap, DG1, code] of diagnoses)
      it(`with a diagnosis ${trap}`, () => expect(body(mapped({ DG1 })).document.diagnosisCode).to.equal(code))

    const refused: [trap: string, changes: Segments, reason: string][] = [
      ['of an unknown type', txa(2, 'ZZZ^Something'), 'TXA-2: the code "ZZZ" is not in the table of document types'],
      [
        'of a type named like a property',
        txa(2, 'constructor'),
        'TXA-2: the code "constructor" is not in the table of document types',
      ],
      ['without a date', txa(4, ''), 'TXA-4: empty, and document.effectiveDate is needed'],
      ['without an id', txa(12, ''), 'TXA-12: empty, and document.externalDocId is needed'],
      ['with two PDFs', both, 'OBX-5: holds 2 PDFs; say in the map which one is signed'],
      [
        'that is elsewhere',
        obx('\\\\\\\\server\\\\share\\\\1.pdf^^pdf', 'RP'),
        'OBX-5: points to a document, and does not hold it',
      ],
      ['that is no PDF', obx('^text^plain^Base64^SGVsbG8gd29ybGQ='), 'OBX-5: holds no PDF'],
      ['that is cut off', obx(`^^^^${PDF.slice(0, 28)}`), 'OBX-5: holds a PDF without its end'],
    ]
    for (const [trap, changes, reason] of refused)
      it(`${trap} is held`, () => expect(held(mapped(changes))).to.deep.equal([reason]))
  })

  describe('by what it asks for', () => {
    const typed = (type: string, more: Segments = {}): Segments => ({
      MSH: String(mdm.MSH).replace('MDM^T02^MDM_T02', type),
      ...more,
    })
    const actions: [type: string, more: Segments, action: string][] = [
      ['MDM^T02', {}, 'create'],
      ['MDM^T06', {}, 'create'],
      ['MDM^T08', {}, 'replace'],
      ['MDM^T10', {}, 'replace'],
      ['MDM^T11', { OBX: null }, 'retract'],
      ['MDM^T04', { OBX: null, TXA: `${mdm.TXA}|||||||CA` }, 'retract'],
      ['MDM^T04', { OBX: null, TXA: `${mdm.TXA}|||||||OB` }, 'retract'],
    ]
    for (const [type, more, action] of actions)
      it(`${type} is to ${action}`, () => expect(mapped(typed(type, more))).to.include({ ok: true, action }))

    for (const type of ['MDM^T04', 'ADT^A08', 'ADT^A40', 'constructor^'])
      it(`${type} is held`, () => expect(held(mapped(typed(type))).join()).to.contain('asks for nothing'))
  })

  it('is held with every reason at once, and without a value of the patient', () => {
    const reasons = held(mapped({ ...pid(5, 'Secretname'), ...txa(2, 'ZZZ'), OBX: null }))
    expect(reasons).to.have.length(3)
    expect(reasons.join()).to.not.contain('Secretname')
  })

  it('that cannot be read is held', () =>
    expect(mapHl7(Buffer.from('hello'), readMapFile({}))).to.include({ ok: false }))
})
