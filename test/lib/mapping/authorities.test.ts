/** Who assigned an id, in every form that HL7 v2 and FHIR have for it: the same digits of another authority are another record's. */
import { expect } from 'chai'
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import { isPlaceholder } from '../../../lib/mapping/placeholder.ts'
import { aBundle, document, patient, practitioner } from '../../support/hl7/a-bundle.ts'
import { anOrder, mdm, oru, type Segments } from '../../support/hl7/an-order.ts'
import { mappedBundle } from '../../support/hl7/mapped-bundle.ts'
import { bodyOf, heldBy, warningsOf } from '../../support/hl7/what-became.ts'

const became = (changes: Segments, map: MapFileInput = {}, base: Segments = mdm) =>
  mapHl7(anOrder(changes, base), readMapFile({ documentTypes: { CMS485: { documentTypeId: 101 } }, ...map }))
const signedBy = (xcn: string, map: MapFileInput) =>
  became({ TXA: String(mdm.TXA).replace('9999900019^Marsh^Helen^^^^^^NPI^L^^^NPI', xcn) }, map)
const npi = (xcn: string, map: MapFileInput) => bodyOf(signedBy(xcn, map)).performers[0]?.signer.userNPI
const patientOf = (cx: string, map: MapFileInput = {}) =>
  became({ PID: String(mdm.PID).replace('WC100098^^^WILLOW^MR', cx) }, map)

describe('The authority of an id in HL7 v2', () => {
  it('of a signer is that of XCN-9, else the facility, the agency or the jurisdiction', () => {
    const bare = { signers: { 1173: '9999900019' } }
    const qualified = { signers: { 'HUBB|1173': '9999900027' } }
    const at = (component: number, text: string) => `1173^Quill^Oscar${'^'.repeat(component - 3)}${text}`
    for (const component of [9, 14, 22, 23]) {
      expect(heldBy(signedBy(at(component, 'HUBB'), bare)).join(), String(component)).to.contain('TXA-10')
      expect(npi(at(component, 'HUBB'), qualified), String(component)).to.equal('9999900027')
      expect(npi(at(component, 'LAKE'), bare), String(component)).to.equal('9999900019')
    }
    expect(heldBy(signedBy('1173^Quill^Oscar^^^^^^HUBA^^^^^HUBB', qualified)).join()).to.contain('TXA-10')
  })

  it('of a signer may have two names in the table only for one person', () => {
    const both = '1173^Quill^Oscar^^^^^^HUBA&2.16.9&ISO'
    expect(npi(both, { signers: { 'HUBA|1173': '9999900027', '2.16.9|1173': '9999900027' } })).to.equal('9999900027')
    const other = { signers: { 'HUBA|1173': '9999900027', '2.16.9|1173': '9999900019' } }
    expect(heldBy(signedBy(both, other)).join()).to.contain('TXA-10')
  })

  it('of a patient is that of CX-4, else the facility, the agency, the jurisdiction, and only then the sender', () => {
    const idOf = (cx: string) => bodyOf(patientOf(cx)).patient.externalId
    expect(idOf('440011^^^NORTH^MR^SOUTH')).to.equal('NORTH|440011')
    expect(idOf('440011^^^^MR^SOUTH^^^MN^AGENCY')).to.equal('SOUTH|440011')
    expect(idOf('440011^^^""^MR^&2.16.5&ISO')).to.equal('&2.16.5&ISO|440011')
    expect(idOf('440011^^^^MR^^^^MN^AGENCY')).to.equal('AGENCY|440011')
    expect(idOf('440011^^^^MR^^^^MN')).to.equal('MN|440011')
    expect(idOf('440011^^^^MR')).to.equal('LAKE|440011')
    expect(warningsOf(patientOf('440011^^^^MR')).join()).to.contain('PID-3(1)')
    expect(warningsOf(patientOf('440011^^^^MR^^^^MN')).join()).to.not.contain('PID-3(1)')
    expect(heldBy(patientOf('440011^^^^MR^NORTH~440011^^^^MR^SOUTH')).join()).to.contain('PID-3')
  })

  it('of a document, and of the sender, may be divided by subcomponents, as in version 2.2', () => {
    const idOf = (ei: string, msh = 'LAKE') =>
      bodyOf(
        became({
          MSH: String(mdm.MSH).replace('LAKE', msh),
          TXA: String(mdm.TXA).replace('DOC-000123^EPIC', ei),
        }),
      ).document.externalDocId
    expect(idOf('D-1^EPIC&2.1&ISO')).to.equal('EPIC&2.1&ISO|D-1').and.to.equal(idOf('D-1^EPIC^2.1^ISO'))
    expect(idOf('D-1^EPIC&2.2&ISO')).to.not.equal(idOf('D-1^EPIC&2.1&ISO'))
    expect(idOf('D-1^A&B^2.1^ISO')).to.not.equal(idOf('D-1^A&C^2.1^ISO'))
    expect(idOf('D-1', 'LAKE&2.3&ISO')).to.equal('LAKE&2.3&ISO|D-1').and.to.equal(idOf('D-1', 'LAKE^2.3^ISO'))
  })

  it('of an organization decides which one an id is, and may have two names in the table only for one of them', () => {
    const orgOf = (xon: string, organizations: Record<string, string>) =>
      became({ PV1: null, ORC: `ORC|NW|P-77^EPIC${'|'.repeat(19)}${xon}` }, { organizations }, oru)
    const table = { 77: '9999901017' }
    expect(bodyOf(orgOf('Lake^^77', table)).performers[0]?.organization?.orgNPI).to.equal('9999901017')
    expect(bodyOf(orgOf('Lake^^77^^^LAKE', table)).performers[0]?.organization?.orgNPI).to.equal('9999901017')
    expect(heldBy(orgOf('Lake^^77^^^HUBB', table)).join()).to.contain('ORC-21')
    expect(heldBy(orgOf('Lake^^77^^^^^HUBB', table)).join()).to.contain('ORC-21')
    const two = { ...table, 'HUBB|77': '9999901033' }
    expect(bodyOf(orgOf('Lake^^77^^^^^HUBB', two)).performers[0]?.organization?.orgNPI).to.equal('9999901033')
    const own = { ...table, 'LAKE|77': '9999901033' }
    expect(bodyOf(orgOf('Lake^^77^^^LAKE', own)).performers[0]?.organization?.orgNPI).to.equal('9999901033')
    expect(bodyOf(orgOf('Lake^^77', own)).performers[0]?.organization?.orgNPI).to.equal('9999901017')
    const names = { 'HUBB|77': '9999901033', '2.16.1|77': '9999901017' }
    expect(heldBy(orgOf('Lake^^77^^^HUBB&2.16.1&ISO', names)).join()).to.contain('ORC-21: names several organizations')
  })
})

describe('The authority of an id in FHIR', () => {
  const assigner = { display: 'North' }
  const held = (...resources: Parameters<typeof aBundle>) => heldBy(mappedBundle(aBundle(...resources))).join('; ')
  const mr = { coding: [{ code: 'MR' }] }

  it('is its system: an id that only its assigner tells apart does not count', () => {
    const of = (one: object) => ({ ...patient, identifier: [{ type: mr, value: '440011', ...one }] })
    const map = { signers: { 1173: '9999900019' } }
    const signer = (one: object) => ({ ...practitioner, identifier: [{ value: '1173', ...one }] })
    expect(held(document, of({ assigner }), practitioner)).to.contain('Patient.identifier')
    expect(held(document, of({ assigner, system: ' ' }), practitioner)).to.contain('Patient.identifier')
    expect(
      bodyOf(mappedBundle(aBundle(document, of({ assigner, system: 'urn:n' }), practitioner))),
    ).to.have.nested.property('patient.externalId', 'urn:n|440011')
    expect(held({ ...document, masterIdentifier: { value: 'D-1', assigner } }, patient, practitioner)).to.contain(
      'identifier: has no id of the document',
    )
    const by = (one: object) => mappedBundle(aBundle(document, patient, signer(one)), map)
    expect(bodyOf(by({})).performers[0]?.signer.userNPI).to.equal('9999900019')
    expect(heldBy(by({ assigner })).join()).to.contain('DocumentReference.authenticator')
  })

  it('may be in the map as an OID alone', () => {
    const bundle = aBundle(
      document,
      { ...patient, identifier: [{ system: 'urn:oid:1.2.36', value: '7' }] },
      practitioner,
    )
    for (const mrnAuthority of ['1.2.36', 'urn:oid:1.2.36'])
      expect(bodyOf(mappedBundle(bundle, { mrnAuthority })).patient.externalId).to.equal('urn:oid:1.2.36|7')
    expect(heldBy(mappedBundle(bundle, { mrnAuthority: '1.2.3' })).join()).to.contain('Patient.identifier')
  })
})

describe('A placeholder', () => {
  const PLACEHOLDERS =
    'UNKNOWN|Unknown 1|UNKNOWN02|Not on file|TO BE ASSIGNED|to-be-assigned|TOBEASSIGNED|NEW|?|XXXXXXX|1111111|None given|' +
    'Temporary|NotAvailable|Pending assignment|UNIDENTIFIED|N.A.|n/a|#N/A|#REF!|#VALUE!|#NAME?|#DIV/0!|MRN|[MRN]|Trauma|0000-0000|<none>|(blank)|' +
    'Unknown patient|REFUSED|See note|NaN|null|NI|invalid|system generated|""|-|0|XXX|John Doe|No MRN|UNK|test'
  for (const text of PLACEHOLDERS.split('|')) it(`is ${text}`, () => expect(isPlaceholder(text)).to.equal(true))

  const IDS =
    'WC100098|7|12|00012|A|D79|NOTE1234|PATIENT-778|NEW-1001|TEST4711|UNKNOWN-4711|ORDER-1|ORDER 7781|PATIENT1|' +
    'DOCUMENT-2|TEMP1234|123456789|SMITHJ|NO12345|ONTO1|NEWMAN|NOAH|TESTA|#1234|4400#'
  for (const text of IDS.split('|')) it(`is not ${text}`, () => expect(isPlaceholder(text)).to.equal(false))
})
