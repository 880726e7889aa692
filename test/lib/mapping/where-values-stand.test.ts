/** Traps of real senders: values that stand elsewhere than one looks first, and what looks like a value and is none. */
import { expect } from 'chai'
import { mapFhir } from '../../../lib/mapping/map-fhir.ts'
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { aBundle, document, patient, practitioner } from '../../support/hl7/a-bundle.ts'
import { anOrder, mdm, oru, PDF, type Segments } from '../../support/hl7/an-order.ts'
import { bodyOf, heldBy, warningsOf } from '../../support/hl7/what-became.ts'

const usual: MapFileInput = {
  documentTypes: { CMS485: { documentTypeId: 101 }, '52030-8': { documentTypeId: 101 } },
  organizations: { LAKE: '9999901017', HARBOR: '9999901033' },
}

/** A segment of the order, with some of its fields changed. */
function changed(base: Segments, name: string, fields: Record<number, string>): Segments {
  const parts = String(base[name]).split('|')
  for (const [number, value] of Object.entries(fields)) parts[Number(number)] = value
  return { [name]: Array.from(parts, (part) => part ?? '').join('|') }
}

describe('An order in HL7 v2', () => {
  const mapped = (changes: Segments, map: MapFileInput = {}, base = mdm) =>
    mapHl7(anOrder(changes, base), readMapFile({ ...usual, ...map }))
  const patientOf = (fields: Record<number, string>) => bodyOf(mapped(changed(mdm, 'PID', fields))).patient

  it('has a Social Security Number in PID-3, which counts before that of PID-19', () =>
    expect(
      patientOf({ 3: 'WC100098^^^WILLOW^MR~123-45-6780^^^USA^SS', 19: '223-45-9999' }).identifiers,
    ).to.deep.include({ authority: 'ssn4', value: '6780' }))

  it('has a suffix, which is no name', () =>
    expect(patientOf({ 5: 'Lund^Ole^^Jr^Dr^^L' }).names).to.deep.equal([
      { use: 'official', family: 'Lund', given: ['Ole'] },
    ]))

  it('has telecoms of the work in PID-14, and of version 2.8 in PID-40', () => {
    const telecoms = patientOf({
      13: '',
      14: '2185550107^WPN^PH',
      40: '^NET^^a@example.org~^PRN^CP^^^^^^^^^2185550108',
    })
    expect(telecoms.telecoms).to.deep.equal([
      { system: 'phone', value: '2185550107', use: 'work' },
      { system: 'email', value: 'a@example.org' },
      { system: 'phone', value: '2185550108', use: 'mobile' },
    ])
  })

  for (const code of ['O', 'N', 'X', ''])
    it(`with the sex "${code}" says that it is sent as Unknown`, () =>
      expect(warningsOf(mapped(changed(mdm, 'PID', { 8: code }))).join()).to.match(/PID-8: .*Unknown/))

  it('without a birth date is held: empty says that nothing has changed', () =>
    expect(heldBy(mapped(changed(mdm, 'PID', { 7: '' }))).join()).to.contain('PID-7: no date'))

  const signers: [what: string, changes: Segments, map: MapFileInput, base: Segments, npi: string][] = [
    [
      'the originator of TXA-5, when no other is named',
      changed(mdm, 'TXA', { 5: '9999900027', 10: '' }),
      {},
      mdm,
      '9999900027',
    ],
    ['OBR-32 of a result without OBR-16', changed(oru, 'OBR', { 16: '', 32: '9999900035' }), {}, oru, '9999900035'],
    [
      'the attending one, only where the map says so',
      { PV1: 'PV1|1|O|WARD^^^LAKE||||9999900035^Calder' },
      { fields: { 'performers[0].signer.userNPI': ['PV1-7'] } },
      mdm,
      '9999900035',
    ],
  ]
  for (const [what, changes, map, base, npi] of signers)
    it(`is signed by ${what}`, () =>
      expect(bodyOf(mapped(changes, map, base)).performers[0]?.signer.userNPI).to.equal(npi))

  it('is not signed by the attending one, when nobody else is named', () =>
    expect(
      heldBy(mapped({ ...changed(mdm, 'TXA', { 10: '' }), PV1: 'PV1|1|O|WARD^^^LAKE||||9999900035^Calder' })),
    ).to.deep.equal(['TXA-10, TXA-9, TXA-5: does not identify a signer']))

  it('is held when an organization of the map is to sign it', () =>
    expect(heldBy(mapped(changed(mdm, 'TXA', { 10: '9999901017^Lakeside^^^^^^^NPI' })))).to.deep.equal([
      'TXA-10: is an organization; the signer must be a person',
    ]))

  describe('of several facilities', () => {
    const ORC = (facility: string) => `ORC|NW|P-77^EPIC${'|'.repeat(19)}${facility}`
    const PV1 = (facility: string) => `PV1|1|O|WARD^^^${facility}`
    const become = (orc: string, pv1: string, map: MapFileInput = {}) =>
      mapped({ ORC: ORC(orc), PV1: PV1(pv1) }, map, oru)
    const organizationOf = (result: Mapped) => bodyOf(result).performers[0]?.organization?.orgNPI
    const several = 'ORC-21, PV1-3: names several organizations, and a task has one'
    const notInTable = 'names a facility that is not in the table of organizations'

    it('goes to the one organization that all of them are', () => {
      const organizations = { LAKE: '9999901017', 'Lake Clinic': '9999901017' }
      expect(organizationOf(become('Lake Clinic', 'LAKE', { organizations }))).to.equal('9999901017')
      expect(organizationOf(become('Lake Clinic~LAKE', 'LAKE', { organizations }))).to.equal('9999901017')
      expect(organizationOf(become('Lake^^9999901017^^^NPI', 'LAKE'))).to.equal('9999901017')
      expect(organizationOf(become('Harbor^^^^^^^^^HARBOR', ''))).to.equal('9999901033')
    })

    it('is held when they are different organizations, in two fields or in one', () => {
      expect(heldBy(become('Harbor^^^^^^^^^HARBOR', 'LAKE'))).to.deep.equal([several])
      expect(heldBy(become('Harbor^^9999901033^^^NPI', 'LAKE'))).to.deep.equal([several])
      expect(heldBy(become('LAKE~HARBOR', ''))).to.deep.equal([several.replace(', PV1-3', '')])
    })

    it('is held when one of them is not in the table, and that of the visit counts alone where the map says so', () => {
      expect(heldBy(become('ELSEWHERE', 'LAKE'))).to.deep.equal([`ORC-21: ${notInTable}`])
      expect(heldBy(become('HARBOR', 'ELSEWHERE'))).to.deep.equal([`PV1-3: ${notInTable}`])
      const fields = { 'performers[0].organization.orgNPI': ['PV1-3'] }
      expect(organizationOf(become('ELSEWHERE', 'LAKE', { fields }))).to.equal('9999901017')
    })

    it('does not count the sender, MSH-4, next to them, and takes it where it is alone', () => {
      expect(organizationOf(become('HARBOR', ''))).to.equal('9999901033')
      expect(organizationOf(become('', ''))).to.equal('9999901017')
      const other = become('', '', { organizations: { HARBOR: '9999901033' } })
      expect(organizationOf(other)).to.equal(undefined)
      expect(warningsOf(other).join()).to.contain('MSH-4: no facility in the table of organizations')
    })

    it('knows an id by its authority, and an NPI by its label and its check digit', () => {
      const none = { organizations: {} }
      const ofHub = { organizations: { 'HUB|77': '9999901033' } }
      expect(organizationOf(become('Lake^^77^^^HUB', '', ofHub))).to.equal('9999901033')
      expect(heldBy(become('Lake^^77^^^HUBB', '', ofHub))).to.deep.equal([`ORC-21: ${notInTable}`])
      expect(heldBy(become('HUB', '', ofHub))).to.deep.equal([`ORC-21: ${notInTable}`])
      for (const labelled of [
        'Lake^^9999901017^^^NPI',
        'Lake^^9999901017^^^^npi',
        'Lake^^9999901017^^^HUB&2.16.840.1.113883.4.6&ISO',
      ])
        expect(organizationOf(become(labelled, '', none))).to.equal('9999901017')
      for (const other of [
        'Lake^^9999901017',
        'Lake^^9999901018^^^^NPI',
        'Lake^^99999010170^^^^NPI',
        'Lake^^09999901017^^^^NPI',
        'Lake^^9999901017^^^^TAX',
      ]) {
        expect(organizationOf(become(other, '', none)), other).to.equal(undefined)
        expect(warningsOf(become(other, '', none)).join(), other).to.contain('ORC-21')
      }
    })

    it('takes the first of the sources that the map names, also a segment of the sender', () => {
      const of = (...places: string[]) => ({ fields: { 'performers[0].organization.orgNPI': places } })
      expect(organizationOf(become('HARBOR', 'LAKE', of('PV1-3', 'ORC-21')))).to.equal('9999901017')
      expect(organizationOf(mapped({ ZFA: 'ZFA|1|HARBOR' }, of('ZFA-2'), oru))).to.equal('9999901033')
    })
  })

  it('has its date in a segment of the sender, where the map says so', () => {
    const map = { fields: { 'document.effectiveDate': ['ZPM-3'] } }
    expect(bodyOf(mapped({ ZPM: 'ZPM|1|cert|20260102' }, map)).document.effectiveDate).to.equal('2026-01-02')
  })

  it('of a result is told from others of its request by OBX-4', () =>
    expect(bodyOf(mapped(changed(oru, 'OBX', { 4: '2' }), {}, oru)).document.externalDocId).to.equal('LAB|F-88.2'))

  it('of a result has its diagnosis in OBR-31', () =>
    expect(
      bodyOf(mapped(changed(oru, 'OBR', { 31: 'I50.9^Heart failure^I10' }), {}, oru)).document.diagnosisCode,
    ).to.equal('I50.9'))

  it('is held when the parts of its PDF came in another order, even when the last one has its end', () => {
    const parts = [PDF.slice(0, 20), PDF.slice(20, 28), PDF.slice(28)]
    const OBX = [0, 2, 1].map((index) => `OBX|${index + 1}|TX|PDF^Document||${parts[index]}`)
    expect(heldBy(mapped({ OBX }))).to.deep.equal([
      'OBX-5: holds a PDF whose parts are in another order than their numbers say',
    ])
    expect(bodyOf(mapped({ OBX: OBX.toSorted() })).document.attachment).to.equal(PDF)
  })

  it('is of its own id as T06, with a parent in TXA-13', () => {
    const MSH = String(mdm.MSH).replace('T02', 'T06')
    const order = mapped({ MSH, ...changed(mdm, 'TXA', { 13: 'PARENT-1^EPIC' }) })
    expect(bodyOf(order).document.externalDocId).to.equal('EPIC|DOC-000123')
  })
})

describe('An order in FHIR R4', () => {
  const mapped = (change: { patient?: object; document?: object }, map: MapFileInput = {}) =>
    mapFhir(
      aBundle({ ...document, ...change.document }, { ...patient, ...change.patient }, practitioner),
      readMapFile({ ...usual, ...map }),
    )

  it('is held when the patient has the id of the server alone', () =>
    expect(heldBy(mapped({ patient: { identifier: [] } })).join()).to.contain(
      'Patient.identifier: has no id of the type MR',
    ))

  it('is of a patient without a telecom that is no longer used', () => {
    const telecom = [
      { system: 'phone', value: '1', use: 'old' },
      { system: 'phone', value: '2', use: 'home' },
    ]
    expect(bodyOf(mapped({ patient: { telecom } })).patient.telecoms).to.deep.equal([
      { system: 'phone', value: '2', use: 'home' },
    ])
  })

  it('with another gender says what is sent', () =>
    expect(warningsOf(mapped({ patient: { gender: 'other' } })).join()).to.match(/Patient\.gender: .*Unknown/))

  it('has the id of its identifier when it has no other, whatever version of it comes', () => {
    const identifier = [{ system: 'urn:lake:docs', value: 'DOC-9' }]
    const of = (versionId: string) =>
      bodyOf(mapped({ document: { masterIdentifier: undefined, identifier, meta: { versionId } } }))
    expect(of('1').document.externalDocId).to.equal('urn:lake:docs|DOC-9')
    expect(of('2')).to.deep.equal(of('1'))
  })

  it('is signed by the author when nobody authenticates it', () => {
    const change = { authenticator: undefined, author: [{ reference: 'Practitioner/d1' }] }
    expect(bodyOf(mapped({ document: change })).performers[0]?.signer.userNPI).to.equal('9999900019')
  })
  it('is held when an organization of the map is to sign it', () => {
    const identifier = { system: 'http://hl7.org/fhir/sid/us-npi', value: '9999901017' }
    expect(heldBy(mapped({ document: { authenticator: { identifier } } }))).to.deep.equal([
      'DocumentReference.authenticator: is an organization; the signer must be a person',
    ])
  })
})
