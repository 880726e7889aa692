/** Bundles of FHIR R4 in forms that say something else than they seem to: each is read as it is meant, or held. */
import { expect } from 'chai'
import { mapFhir } from '../../../lib/mapping/map-fhir.ts'
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import { aBundle, document, patient, practitioner, request, role } from '../../support/hl7/a-bundle.ts'
import { PDF } from '../../support/hl7/an-order.ts'
import { bodyOf } from '../../support/hl7/what-became.ts'

type Resource = Record<string, unknown>

const MAP: MapFileInput = { documentTypes: { '52030-8': { documentTypeId: 101 } } }
/** The moment of every message. */
const AT = Date.UTC(2026, 0, 16, 12)
const NPI = 'http://hl7.org/fhir/sid/us-npi'
const MRN = 'urn:oid:1.2.36.146.595.217.0.1'
const FACTS = `${MRN}|WC100098 9999900019`
const CREATE = `create urn:lake:docs|DOC-000123 ${FACTS} -`
const ORDER = `create urn:lake:orders|ORD-7 ${FACTS} 9999901017`

const usual = [document, patient, practitioner]
const ordered = [request, document, patient, role, practitioner]
const order = (id: string, number: string, change: Resource = {}): Resource => ({
  ...request,
  ...{ id, identifier: [{ system: 'urn:lake:orders', value: number }] },
  ...change,
})
const replacing = (...ids: string[]) => ({ replaces: ids.map((id) => ({ reference: `ServiceRequest/${id}` })) })
const task = (id: string, change: Resource = {}): Resource => ({
  ...{ resourceType: 'Task', id, status: 'requested', intent: 'order' },
  ...{ focus: { reference: 'DocumentReference/doc1' }, for: { reference: 'Patient/p1' } },
  ...change,
})
const organization = (change: Resource = {}): Resource => ({
  ...{ resourceType: 'Organization', id: 'o1', identifier: [{ system: NPI, value: '9999901017' }] },
  ...change,
})
const inOrganization = { ...role, organization: { reference: 'Organization/o1' } }
const visit = (status: string): Resource => ({
  ...{ resourceType: 'Encounter', id: 'e1', status, subject: { reference: 'Patient/p1' } },
})
const ofVisit = { context: { ...(document.context as object), encounter: [{ reference: 'Encounter/e1' }] } }
const content = (...attachments: object[]) => ({ content: attachments.map((attachment) => ({ attachment })) })
const inPdf = { contentType: 'application/pdf', data: PDF }
const modifierExtension = [{ url: 'urn:not', valueBoolean: true }]

/** The same Bundle with another type, or with entries of its own. */
const typed = (type: unknown, ...resources: Resource[]) => ({ ...aBundle(...resources), type })
const withEntries = (entry: object[], ...resources: Resource[]) => {
  const bundle = aBundle(...resources) as { entry: object[] }
  return { ...bundle, entry: [...bundle.entry, ...entry] }
}
/** Extensions within extensions. */
const nested = (depth: number, inner: object): object =>
  depth === 0 ? inner : { extension: [{ url: 'urn:x', ...nested(depth - 1, inner) }] }

const CASES: Record<string, { json: unknown; right: string }> = {
  // Kinds of Bundles.
  'a Bundle within a Bundle': {
    json: aBundle(...usual, { ...aBundle(request, document), id: 'b1' }),
    right: 'held Bundle.entry.resource',
  },
  'an order within a Bundle within a Bundle': {
    json: aBundle({ ...aBundle(...usual), id: 'b1' }),
    right: 'held Bundle.entry.resource resourceType',
  },
  'a history of one document': {
    json: typed('history', ...usual, { ...document, status: 'superseded' }),
    right: 'held Bundle.type DocumentReference',
  },
  'the answer to a transaction': { json: typed('transaction-response', ...usual), right: 'held Bundle.type' },
  'the answer to a batch': { json: typed('batch-response', ...usual), right: 'held Bundle.type' },
  'a type of Bundle that R4 lacks': { json: typed('subscription-notification', ...usual), right: 'held Bundle.type' },
  'a type of Bundle in capitals': { json: typed('Collection', ...usual), right: 'held Bundle.type' },
  'an outcome among what a search found': {
    json: {
      ...typed('searchset', ...usual, { resourceType: 'OperationOutcome', id: 'x', issue: [] }),
      total: 1,
    },
    right: CREATE,
  },
  'an entry without a resource': { json: withEntries([{ fullUrl: 'urn:uuid:1' }], ...usual), right: CREATE },
  'one document twice': { json: aBundle(...usual, document), right: 'held DocumentReference' },
  'one patient twice': { json: aBundle(...usual, patient), right: 'held DocumentReference.subject' },
  'a document and its withdrawn version': {
    json: aBundle(...usual, { ...document, id: 'doc2', status: 'entered-in-error' }),
    right: 'held DocumentReference',
  },
  // Tasks and replacements.
  'two Tasks for one document': { json: aBundle(task('t1'), task('t2'), ...usual), right: 'held Task' },
  'a Task and one that was canceled': {
    json: aBundle(task('t1'), task('t2', { status: 'cancelled' }), ...usual),
    right: 'held Task',
  },
  'a Task for another patient': {
    json: aBundle(task('t1', { for: { reference: 'Patient/p2' } }), ...usual, { ...patient, id: 'p2' }),
    right: 'held DocumentReference.subject',
  },
  'a Task whose time is over': {
    json: aBundle(task('t1', { restriction: { period: { end: '2026-01-14' } } }), ...usual),
    right: 'held Task.restriction.period',
  },
  'a Task whose time ends today': {
    json: aBundle(task('t1', { restriction: { period: { end: '2026-01-16' } } }), ...usual),
    right: CREATE,
  },
  'a request that replaces one that replaced another': {
    json: aBundle(
      order('s2', 'ORD-2', replacing('s1')),
      order('s1', 'ORD-1', { ...replacing('s0'), supportingInfo: [] }),
      order('s0', 'ORD-0', { supportingInfo: [] }),
      ...ordered.slice(1),
    ),
    right: 'held ServiceRequest',
  },
  'a request that replaces two': {
    json: aBundle(
      order('s2', 'ORD-2', replacing('s1', 's0')),
      order('s1', 'ORD-1', { supportingInfo: [] }),
      order('s0', 'ORD-0', { supportingInfo: [] }),
      ...ordered.slice(1),
    ),
    right: ORDER.replace(
      'create urn:lake:orders|ORD-7',
      'replace urn:lake:orders|ORD-1 urn:lake:orders|ORD-0 by urn:lake:orders|ORD-2',
    ),
  },
  'two requests that replace each other': {
    json: aBundle(order('s1', 'ORD-1', replacing('s2')), order('s2', 'ORD-2', replacing('s1')), ...ordered.slice(1)),
    right: 'held ServiceRequest',
  },
  'a request that replaces what is not there': {
    json: aBundle({ ...request, ...replacing('s9') }, ...ordered.slice(1)),
    right: 'held ServiceRequest.replaces[0]',
  },
  'a request that replaces an id alone': {
    json: aBundle(
      { ...request, replaces: [{ identifier: { system: 'urn:lake:orders', value: 'ORD-6' } }] },
      ...ordered.slice(1),
    ),
    right: ORDER.replace('create', 'replace urn:lake:orders|ORD-6 by'),
  },
  // Statuses.
  'doNotPerform as text': {
    json: aBundle({ ...request, doNotPerform: 'true' }, ...ordered.slice(1)),
    right: 'held ServiceRequest.doNotPerform',
  },
  'doNotPerform as a number': {
    json: aBundle({ ...request, doNotPerform: 1 }, ...ordered.slice(1)),
    right: 'held ServiceRequest.doNotPerform',
  },
  'a status that is an extension alone': {
    json: aBundle(
      { ...document, status: undefined, _status: { extension: [{ url: 'urn:x' }] } },
      patient,
      practitioner,
    ),
    right: 'held DocumentReference.status',
  },
  'a visit that was entered in error': {
    json: aBundle({ ...document, ...ofVisit }, patient, practitioner, visit('entered-in-error')),
    right: 'held Encounter.status',
  },
  'a visit that was canceled': {
    json: aBundle({ ...request, encounter: { reference: 'Encounter/e1' } }, ...ordered.slice(1), visit('cancelled')),
    right: 'held Encounter.status',
  },
  'a visit that has ended': {
    json: aBundle({ ...document, ...ofVisit }, patient, practitioner, visit('finished')),
    right: CREATE,
  },
  'a signer who left, within the role': {
    json: aBundle(request, document, patient, {
      ...role,
      contained: [{ ...practitioner, id: 'd', active: false }],
      practitioner: { reference: '#d' },
    }),
    right: 'held Practitioner.active',
  },
  'an organization of the role that closed': {
    json: aBundle(request, document, patient, inOrganization, practitioner, organization({ active: false })),
    right: 'held Organization.active',
  },
  'an organization that closed and is named by nothing': {
    json: aBundle(...ordered, organization({ active: false })),
    right: ORDER,
  },
  // Patients who were merged.
  'a patient whom another one in the Bundle replaces': {
    json: aBundle(...usual, {
      ...{ ...patient, id: 'p9', identifier: [{ system: MRN, value: 'WC9' }] },
      link: [{ other: { reference: 'Patient/p1' }, type: 'replaces' }],
    }),
    right: 'held Patient.link',
  },
  'a patient who replaces another one': {
    json: aBundle(
      document,
      { ...patient, link: [{ other: { reference: 'Patient/p9' }, type: 'replaces' }] },
      practitioner,
    ),
    right: CREATE,
  },
  'a patient with a link without its type': {
    json: aBundle(document, { ...patient, link: [{ other: { reference: 'Patient/p9' } }] }, practitioner),
    right: 'held Patient.link.type',
  },
  'a contained patient who was merged': {
    json: {
      ...document,
      contained: [
        { ...patient, id: 'p', link: [{ other: { reference: 'Patient/p9' }, type: 'replaced-by' }] },
        { ...practitioner, id: 'd' },
      ],
      ...{ subject: { reference: '#p' }, authenticator: { reference: '#d' } },
    },
    right: 'held Patient.link.type',
  },
  // Modifier extensions.
  'a modifier extension in two hundred extensions': {
    json: aBundle(document, { ...patient, ...nested(200, { modifierExtension }) }, practitioner),
    right: 'held Patient',
  },
  'a modifier extension in the search of an entry': {
    json: withEntries([{ search: { mode: 'match', modifierExtension } }], ...usual),
    right: 'held Bundle.entry.search.modifierExtension',
  },
  'a modifier extension of an id in a reference': {
    json: aBundle(
      {
        ...document,
        subject: { reference: 'Patient/p1', identifier: { system: MRN, value: 'WC100098', modifierExtension } },
      },
      ...usual.slice(1),
    ),
    right: 'held DocumentReference.subject.identifier.modifierExtension',
  },
  // References and versions.
  'a reference to another version than the one that is there': {
    json: aBundle(
      task('t1', { focus: { reference: 'DocumentReference/doc1/_history/3' } }),
      { ...document, meta: { versionId: '2' } },
      ...usual.slice(1),
    ),
    right: 'held Task.focus',
  },
  'a reference to the version that is there': {
    json: aBundle(
      task('t1', { focus: { reference: 'https://ehr.example/DocumentReference/doc1/_history/3' } }),
      { ...document, meta: { versionId: '3' } },
      ...usual.slice(1),
    ),
    right: CREATE,
  },
  'a reference to an earlier version of the patient': {
    json: aBundle(
      { ...document, subject: { reference: 'Patient/p1/_history/1' } },
      { ...patient, meta: { versionId: '7' } },
      practitioner,
    ),
    right: 'held DocumentReference.subject',
  },
  'a reference by a search': {
    json: aBundle({ ...document, subject: { reference: `Patient?identifier=${MRN}|WC100098` } }, ...usual.slice(1)),
    right: 'held DocumentReference.subject',
  },
  'a reference with a fragment': {
    json: aBundle({ ...document, subject: { reference: 'Patient/p1#name' } }, ...usual.slice(1)),
    right: 'held DocumentReference.subject',
  },
  'a reference in other letters': {
    json: aBundle({ ...document, subject: { reference: 'Patient/P1' } }, ...usual.slice(1)),
    right: 'held DocumentReference.subject',
  },
  'a contained patient of another resource': {
    json: aBundle({ ...document, subject: { reference: '#p' } }, patient, {
      ...practitioner,
      contained: [{ ...patient, id: 'p' }],
    }),
    right: 'held DocumentReference.subject',
  },
  'two contained patients of one id': {
    json: aBundle(
      {
        ...document,
        subject: { reference: '#p' },
        contained: [
          { ...patient, id: 'p' },
          { ...patient, id: 'p' },
        ],
      },
      practitioner,
    ),
    right: 'held DocumentReference.subject',
  },
  'entries by urn:uuid and a relative reference': {
    json: {
      ...aBundle(),
      entry: usual.map((resource, index) => ({
        fullUrl: `urn:uuid:0000000${index}-0000-4000-8000-000000000000`,
        resource,
      })),
    },
    right: CREATE,
  },
  'a reference by urn:uuid in capitals': {
    json: {
      ...aBundle(),
      entry: [
        { fullUrl: 'urn:uuid:aaaaaaaa-0000-4000-8000-000000000000', resource: patient },
        { resource: practitioner },
        { resource: { ...document, subject: { reference: 'urn:uuid:AAAAAAAA-0000-4000-8000-000000000000' } } },
      ],
    },
    right: CREATE,
  },
  // Ids and PDFs.
  'an id over two lines': {
    json: aBundle({ ...document, masterIdentifier: { system: 'urn:x', value: 'DOC\n1' } }, ...usual.slice(1)),
    right: 'held DocumentReference.masterIdentifier',
  },
  'a patient id with a blank of no width': {
    json: aBundle(
      document,
      { ...patient, identifier: [{ type: { coding: [{ code: 'MR' }] }, system: MRN, value: 'WC\u200b1' }] },
      practitioner,
    ),
    right: 'held Patient.identifier[0]',
  },
  'a PDF that is empty where its url leads, before another one': {
    json: aBundle(
      { ...document, ...content({ contentType: 'application/pdf', url: 'Binary/b1' }, inPdf) },
      ...usual.slice(1),
      { resourceType: 'Binary', id: 'b1', contentType: 'application/pdf' },
    ),
    right: 'held DocumentReference.content[0].attachment',
  },
  'a PDF without data and url, before another one': {
    json: aBundle(
      { ...document, ...content({ contentType: 'application/pdf', title: 'Plan' }, inPdf) },
      ...usual.slice(1),
    ),
    right: 'held DocumentReference.content[0].attachment',
  },
}

function became(json: unknown): string {
  const result = mapFhir(json, readMapFile(MAP), AT)
  if (!result.ok) return `held ${[...new Set(result.held.map((reason) => reason.split(':')[0]))].join(' ')}`
  if (result.action === 'retract') return `retract ${result.externalDocId}`
  const { document: sent, patient: of, performers } = bodyOf(result)
  const [who] = performers
  const facts = [sent.externalDocId, of.externalId, who?.signer.userNPI, who?.organization?.orgNPI ?? '-'].join(' ')
  return result.action === 'replace' ? `replace ${result.replaces?.join(' ') ?? ''} by ${facts}` : `create ${facts}`
}

describe('A Bundle in FHIR R4', () => {
  for (const [name, { json, right }] of Object.entries(CASES))
    it(`with ${name}`, () => expect(became(json)).to.equal(right))
})
