import { expect } from 'chai'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import { mdm, oru, PDF, type Segments } from '../../support/hl7/an-order.ts'
import { mapped, pid, txa } from '../../support/hl7/mapped-order.ts'
import { bodyOf, heldBy, warningsOf } from '../../support/hl7/what-became.ts'

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
    const { document } = bodyOf(mapped({ OBX: `OBX|1|ED|PDF^Document|7|^application^pdf^Base64^${PDF}` }, {}, oru))
    expect(document).to.include({ externalDocId: 'LAB|F-88.7', effectiveDate: '2026-01-15', documentTypeId: 101 })
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
      it(trap, () => expect(bodyOf(mapped(changes, local)).performers[0]?.signer.userNPI).to.equal(npi))

    it('whose check digit is wrong warns, when the id is labelled', () =>
      expect(warningsOf(mapped(txa(10, '9999900018^Voss^Ian^^^^^^NPI')))).to.deep.equal([
        'TXA-10: the check digit of the NPI is wrong; check for a mistyped digit',
      ]))

    const refused: [trap: string, changes: Segments, reason: string][] = [
      [
        'whose id cannot be used, although another source names somebody',
        { ...txa(10, 'EP123^Marsh'), PV1: 'PV1|1|O|WARD^^^LAKE|||||9999900035^Calder' },
        'TXA-10: is not an NPI, and is not in signers of the map',
      ],
      [
        'with ten digits that are no NPI',
        txa(10, '9999900018^Voss'),
        'TXA-10: is not an NPI, and is not in signers of the map',
      ],
      [
        'and a second one',
        txa(10, '9999900019^Marsh~9999900027^Tate'),
        'TXA-10: names several signers, and a document has one',
      ],
      ['who is missing', txa(10, ''), 'TXA-10, TXA-9, TXA-5: does not identify a signer'],
    ]
    for (const [trap, changes, reason] of refused)
      it(`${trap} is held`, () => expect(heldBy(mapped(changes))).to.deep.equal([reason]))

    it('of an unknown facility goes to his primary organization, with a warning', () => {
      const result = mapped({ PV1: null, MSH: String(mdm.MSH).replace('LAKE', 'HARBOR') })
      expect(bodyOf(result).performers[0]).to.not.have.property('organization')
      expect(warningsOf(result)).to.deep.equal([
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
        expect(Buffer.from(bodyOf(mapped(changes)).document.attachment, 'base64')).to.deep.equal(whole))

    const other = Buffer.from('%PDF-1.7\nother\n%%EOF').toString('base64')
    const both = { OBX: [`OBX|1|ED|PDF^A||^^^^${PDF}`, `OBX|2|ED|PDF^B||^^^^${other}`] }
    it('with two PDFs takes the one that the map says', () => {
      expect(bodyOf(mapped(both, { pdf: 'first' })).document.attachment).to.equal(PDF)
      expect(bodyOf(mapped(both, { pdf: 'last' })).document.attachment).to.equal(other)
    })

    it('with a template for its type names it', () =>
      expect(
        bodyOf(mapped({}, { documentTypes: { CMS485: { documentTypeId: 101, templateId: 201 } } })).document
          .annotations,
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
      it(`with a diagnosis ${trap}`, () => expect(bodyOf(mapped({ DG1 })).document.diagnosisCode).to.equal(code))

    const refused: [trap: string, changes: Segments, reason: string][] = [
      ['of an unknown type', txa(2, 'ZZZ^Something'), 'TXA-2: the code "ZZZ" is not in documentTypes of the map'],
      [
        'of a type named like a property',
        txa(2, 'constructor'),
        'TXA-2: the code "constructor" is not in documentTypes of the map',
      ],
      ['without a date', txa(4, ''), 'TXA-4: empty, and document.effectiveDate is needed'],
      ['without an id', txa(12, ''), 'TXA-12: empty, and document.externalDocId is needed'],
      ['with two PDFs', both, 'OBX-5: holds 2 PDFs; set pdf in the map to choose one'],
      [
        'that is elsewhere',
        obx('\\\\\\\\server\\\\share\\\\1.pdf^^pdf', 'RP'),
        'OBX-5: points to a document, and does not hold it',
      ],
      ['that is no PDF', obx('^text^plain^Base64^SGVsbG8gd29ybGQ='), 'OBX-5: holds no PDF'],
      ['that is cut off', obx(`^^^^${PDF.slice(0, 28)}`), 'OBX-5: holds a PDF without its end'],
    ]
    for (const [trap, changes, reason] of refused)
      it(`${trap} is held`, () => expect(heldBy(mapped(changes))).to.deep.equal([reason]))
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
      ['MDM^T09', { ...txa(12, 'DOC-2^EPIC|DOC-1^EPIC') }, 'replace'],
      ['MDM^T10', { ...txa(12, 'DOC-2^EPIC|DOC-1^EPIC') }, 'replace'],
      ['MDM^T11', { OBX: null }, 'retract'],
      ['MDM^T04', { OBX: null, TXA: `${mdm.TXA}|||||||CA` }, 'retract'],
      ['MDM^T04', { OBX: null, TXA: `${mdm.TXA}|||||||OB` }, 'retract'],
    ]
    for (const [type, more, action] of actions)
      it(`${type} is to ${action}`, () => expect(mapped(typed(type, more))).to.include({ ok: true, action }))

    for (const [type, reason] of [
      ['MDM^T04', 'requests no signature'],
      ['ADT^A08', 'is not a message type'],
      ['ADT^A40', 'is not a message type'],
      ['constructor^', 'is not a message type'],
    ] as const)
      it(`${type} is held`, () => expect(heldBy(mapped(typed(type))).join()).to.contain(reason))
  })

  it('is held with every reason at once, and without a value of the patient', () => {
    const reasons = heldBy(mapped({ ...pid(5, 'Secretname'), ...txa(2, 'ZZZ'), OBX: null }))
    expect(reasons).to.have.length(3)
    expect(reasons.join()).to.not.contain('Secretname')
  })

  it('that cannot be read is held', () =>
    expect(mapHl7(Buffer.from('hello'), readMapFile({}))).to.include({ ok: false }))
})
