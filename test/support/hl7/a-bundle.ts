/** A Bundle of FHIR R4 with a document to be signed, as a hospital sends it. Each resource can be changed or left out. */
import { PDF } from './an-order.ts'

type Resource = Record<string, unknown>

const MRN = 'urn:oid:1.2.36.146.595.217.0.1'

export const patient: Resource = {
  resourceType: 'Patient',
  id: 'p1',
  identifier: [{ type: { coding: [{ code: 'MR' }] }, system: MRN, value: 'WC100098' }],
  name: [{ use: 'official', family: 'Rowan', given: ['Tess', 'May'] }],
  gender: 'female',
  birthDate: '1952-06-07',
  address: [{ use: 'home', line: ['98 Birch Lane'], city: 'Duluth', state: 'MN', postalCode: '55802' }],
  telecom: [{ system: 'phone', value: '218-555-0198', use: 'home' }],
}

export const practitioner: Resource = {
  resourceType: 'Practitioner',
  id: 'd1',
  identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '9999900019' }],
}

export const document: Resource = {
  resourceType: 'DocumentReference',
  id: 'doc1',
  status: 'current',
  masterIdentifier: { system: 'urn:lake:docs', value: 'DOC-000123' },
  type: { coding: [{ system: 'http://loinc.org', code: '52030-8' }] },
  subject: { reference: 'Patient/p1' },
  date: '2026-01-16T08:00:00Z',
  authenticator: { reference: 'Practitioner/d1' },
  content: [{ attachment: { contentType: 'application/pdf', data: PDF } }],
  context: { period: { start: '2026-01-15T23:30:00-06:00' } },
}

export const request: Resource = {
  resourceType: 'ServiceRequest',
  id: 's1',
  status: 'active',
  intent: 'order',
  identifier: [{ system: 'urn:lake:orders', value: 'ORD-7' }],
  code: { coding: [{ code: '52030-8' }] },
  subject: { reference: 'Patient/p1' },
  occurrenceDateTime: '2026-01-14',
  requester: { reference: 'PractitionerRole/r1' },
  reasonReference: [{ reference: 'Condition/c1' }],
  supportingInfo: [{ reference: 'DocumentReference/doc1' }],
}

export const role: Resource = {
  resourceType: 'PractitionerRole',
  id: 'r1',
  practitioner: { reference: 'Practitioner/d1' },
  organization: { identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value: '9999901017' } },
}

export const condition: Resource = {
  resourceType: 'Condition',
  id: 'c1',
  code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'I50.9' }] },
}

export const aBundle = (...resources: Resource[]): Resource => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: resources.map((resource) => ({
    fullUrl: `https://ehr.example/${resource.resourceType}/${resource.id}`,
    resource,
  })),
})
