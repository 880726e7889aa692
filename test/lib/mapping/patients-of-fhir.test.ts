/** Parts of a FHIR message that name a patient other than its subject, and identifiers whose type is text alone. */
import { expect } from 'chai'
import { aBundle, document, patient, practitioner, request, role } from '../../support/hl7/a-bundle.ts'
import { mappedBundle } from '../../support/hl7/mapped-bundle.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

type Resource = Record<string, unknown>

const of = (change: Resource, more: readonly Resource[] = []) =>
  mappedBundle(aBundle({ ...document, ...change }, patient, practitioner, ...more))
const OTHER = { ...patient, id: 'p2', identifier: [{ system: 'urn:lake:mrn', value: 'WC200001' }] }
const LOCAL = [{ system: 'urn:clinic:mrn', value: '77' }]

describe('The source of a document in FHIR', () => {
  const source = (sourcePatientInfo: Resource, contained: readonly Resource[] = [], more: readonly Resource[] = []) =>
    of({ contained, context: { ...(document.context as Resource), sourcePatientInfo } }, more)
  const snapshot = (change: Resource) => source({ reference: '#p' }, [{ ...patient, id: 'p', ...change }])

  it('may be the subject, a version of it, or a contained record with an id of it', () => {
    for (const result of [
      source({ reference: 'Patient/p1' }),
      source({ reference: 'Patient/p1/_history/3' }),
      snapshot({}),
      snapshot({ name: [{ family: 'Rowan-Ash', given: ['Tess'] }] }),
      snapshot({ identifier: [...LOCAL, ...(patient.identifier as Resource[])] }),
    ])
      expect(bodyOf(result).patient.externalId).to.contain('WC100098')
  })

  it('may have ids of other systems when name, birth date and gender are equal', () => {
    expect(bodyOf(snapshot({ identifier: LOCAL })).patient.externalId).to.contain('WC100098')
    expect(bodyOf(snapshot({ identifier: LOCAL, name: [{ family: ' ROWAN ', given: ['tess'] }] })).document).to.be.an(
      'object',
    )
    for (const change of [
      { name: [{ family: 'Rowan', given: ['Tom'] }] },
      { name: [{ family: 'Ash', given: ['Tess'] }] },
      { name: [] },
      { birthDate: '1952-06-08' },
      { birthDate: undefined },
      { gender: 'male' },
    ])
      expect(heldBy(snapshot({ identifier: LOCAL, ...change })).join(), JSON.stringify(change)).to.equal(
        'DocumentReference.context.sourcePatientInfo: is another patient than DocumentReference.subject',
      )
  })

  it('is held when it is another patient', () => {
    const [mrn] = patient.identifier as Resource[]
    for (const [what, result] of Object.entries({
      'in the message': source({ reference: 'Patient/p2' }, [], [OTHER]),
      'not in the message': source({ reference: 'Patient/p9' }),
      'on another server': source({ reference: 'https://b.example/r4/Patient/p1' }),
      'contained, with another number of the same system': snapshot({ identifier: [{ ...mrn, value: 'WC100099' }] }),
      'contained, with the number in another system': snapshot({
        identifier: [
          { ...mrn, value: 'WC100099' },
          { ...mrn, system: 'urn:clinic:mrn' },
        ],
      }),
      'contained, with the number and another birth date': snapshot({ birthDate: '1980-01-01' }),
      'known by an identifier alone': source({ identifier: { system: 'urn:lake:mrn', value: 'WC200001' } }),
      'by reference and identifier': source({ reference: 'Patient/p1', identifier: LOCAL[0] }),
    }))
      expect(heldBy(result).join(), what).to.contain('DocumentReference.context.sourcePatientInfo')
  })

  it('is not the subject because both have an id without a number', () => {
    const system = { system: 'urn:clinic:visits' }
    const subject = { ...patient, identifier: [...(patient.identifier as Resource[]), system] }
    const source = { ...patient, id: 'p', name: [{ family: 'Ash', given: ['Tess'] }], identifier: [system] }
    const context = { ...(document.context as Resource), sourcePatientInfo: { reference: '#p' } }
    const result = mappedBundle(aBundle({ ...document, contained: [source], context }, subject, practitioner))
    expect(heldBy(result).join()).to.contain('sourcePatientInfo: is another patient')
  })

  it('may be named by any of the ids of the subject, next to the reference', () => {
    const subject = { ...patient, identifier: [...(patient.identifier as Resource[]), ...LOCAL] }
    for (const identifier of subject.identifier) {
      const context = {
        ...(document.context as Resource),
        sourcePatientInfo: { reference: 'Patient/p1', identifier },
      }
      const result = mappedBundle(aBundle({ ...document, context }, subject, practitioner))
      expect(bodyOf(result).patient.externalId).to.contain('WC100098')
    }
  })

  it('is held in the document of a request', () => {
    const inner = { ...document, context: { sourcePatientInfo: { reference: 'Patient/p2' } } }
    const result = mappedBundle(aBundle(request, inner, patient, OTHER, role, practitioner))
    expect(heldBy(result).join()).to.contain('supportingInfo[0].context.sourcePatientInfo')
  })
})

describe('The visit of a FHIR order', () => {
  const visit = (id: string) => ({ resourceType: 'Encounter', id: 'e1', subject: { reference: `Patient/${id}` } })
  const encounter = { reference: 'Encounter/e1' }
  const inContext = (more: readonly Resource[]) =>
    of({ context: { ...(document.context as Resource), encounter: [encounter] } }, more)

  it('is held when it is that of another patient', () => {
    expect(heldBy(inContext([visit('p2')])).join()).to.contain('DocumentReference.context.encounter[0].subject')
    const requested = (id: string) =>
      mappedBundle(aBundle({ ...request, encounter }, document, patient, role, practitioner, visit(id)))
    expect(heldBy(requested('p2')).join()).to.contain('ServiceRequest.encounter.subject')
    expect(bodyOf(requested('p1')).document.externalDocId).to.contain('ORD-7')
  })

  it('does not count where it is not in the message, or names no patient', () => {
    for (const more of [[], [visit('p1')], [{ ...visit('p1'), subject: undefined }]])
      expect(bodyOf(inContext(more)).document.externalDocId).to.contain('DOC-000123')
  })
})

describe('An identifier in FHIR whose type is text alone', () => {
  const ofDocument = (identifier: Resource) => of({ masterIdentifier: undefined, identifier: [identifier] })

  for (const text of [
    'FIN',
    'Visit number',
    'VISIT',
    'Account',
    'Encounter ID',
    'Patient number',
    'Medical record number',
  ])
    it(`"${text}" is not the id of a document`, () => {
      const result = ofDocument({ type: { text }, system: 'urn:lake:x', value: '4711' })
      expect(heldBy(result).join()).to.contain('identifier: has no id of the document')
    })

  it('of words that are not known is held when another id is there, and counts alone', () => {
    const own = { system: 'urn:lake:docs', value: 'DOC-7' }
    const named = { type: { text: 'Accession' }, system: 'urn:lake:acc', value: 'A-1' }
    expect(heldBy(of({ masterIdentifier: undefined, identifier: [own, named] })).join()).to.contain('there are several')
    expect(bodyOf(ofDocument(named)).document.externalDocId).to.equal('urn:lake:acc|A-1')
  })

  it('does not make a number the medical record number of a patient', () => {
    const numbered = { ...patient, identifier: [{ type: { text: 'MRN' }, system: 'urn:lake:x', value: 'WC100098' }] }
    expect(heldBy(mappedBundle(aBundle(document, numbered, practitioner))).join()).to.contain('Patient.identifier')
  })
})

describe('The name of a patient in FHIR', () => {
  it('is held when it has a character that no name has', () => {
    const named = (family: string) =>
      mappedBundle(aBundle(document, { ...patient, name: [{ family, given: ['Tess'] }] }, practitioner))
    for (const family of ['M\ufffdller', '\u001b$B;3', 'Row\u0000an', 'Rowan\u0085'])
      expect(heldBy(named(family)).join(), JSON.stringify(family)).to.equal(
        'Patient.name[0]: has a character that cannot be read',
      )
    for (const family of ['M\u00fcller', '\u5c71\u7530', "O'Neill \u2013 Ash", 'Row\tan'])
      expect(bodyOf(named(family)).patient.names[0]!.family).to.equal(family)
  })
})
