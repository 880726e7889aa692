/** FHIR messages of the kinds that once were guessed at, in other forms than those that were reported. */
import { expect } from 'chai'
import type { MapFileInput } from '../../../lib/mapping/map-file.ts'
import { aBundle, condition, document, patient, practitioner, request, role } from '../../support/hl7/a-bundle.ts'
import { mappedBundle } from '../../support/hl7/mapped-bundle.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

type Resource = Record<string, unknown>

const order = [request, document, patient, role, practitioner] as Resource[]
const second: Resource = {
  ...request,
  id: 's2',
  identifier: [{ system: 'urn:lake:orders', value: 'ORD-8' }],
  supportingInfo: [],
}
const bundle = (type: string, resources: readonly Resource[], more: Resource = {}) => ({
  ...aBundle(...resources),
  type,
  ...more,
})
const right = (json: unknown, map: MapFileInput = {}) => {
  const result = mappedBundle(json, map)
  const { document: sent, patient: of, performers } = bodyOf(result)
  return `${result.ok && result.action} ${sent.externalDocId} ${of.externalId} ${performers[0]?.signer.userNPI}`
}
const held = (json: unknown, map: MapFileInput = {}) => heldBy(mappedBundle(json, map)).join('; ')
const RIGHT = 'create urn:lake:orders|ORD-7 urn:oid:1.2.36.146.595.217.0.1|WC100098 9999900019'
const OF_DOCUMENT = RIGHT.replace('urn:lake:orders|ORD-7', 'urn:lake:docs|DOC-000123')
const header: Resource = { resourceType: 'MessageHeader', id: 'm1', eventCoding: { code: 'order' } }
const listed: MapFileInput = { organizations: { 'urn:lake:sites|LAKE': '9999901017' } }

describe('A FHIR message of a kind that was guessed at', () => {
  for (const type of ['message', 'transaction', 'batch', 'collection', 'searchset', 'document']) {
    it(`as a Bundle of the type ${type} with one order is sent, and with two is held`, () => {
      const first = type === 'message' ? [header] : []
      expect(right(bundle(type, [...first, ...order]))).to.equal(RIGHT)
      expect(held(bundle(type, [...first, ...order, second]))).to.match(/ServiceRequest: there are 2/)
    })
  }

  it('that deletes something in a transaction is held', () => {
    const { entry } = aBundle(...order) as { entry: Resource[] }
    const of = (...entries: Resource[]) => ({ ...bundle('transaction', []), entry: entries })
    const post = entry.map((one) => ({ ...one, request: { method: 'POST', url: 'x' } }))
    expect(right(of(...post))).to.equal(RIGHT)
    for (const request of [
      { method: 'DELETE', url: 'ServiceRequest/s1' },
      { method: 'PATCH', url: 'Task/1' },
    ]) {
      expect(held(of(...post, { request }))).to.contain('Bundle.entry.request.method')
      expect(held(of({ ...post[0], request }, ...post.slice(1)))).to.contain('Bundle.entry.request.method')
    }
  })

  it('whose request contains its document is read there, and held by the status or the patient of that', () => {
    const containing = (change: Resource = {}) => {
      const inner = { ...document, id: 'd', subject: { reference: 'Patient/p1' }, ...change }
      return aBundle(
        { ...request, contained: [inner], supportingInfo: [{ reference: '#d' }] },
        ...[patient, role, practitioner],
      )
    }
    expect(right(containing())).to.equal(RIGHT)
    expect(held(containing({ status: 'superseded' }))).to.contain('DocumentReference.status')
    expect(held(containing({ status: 'Current' }))).to.contain('DocumentReference.status')
    expect(held(containing({ subject: { reference: 'Patient/p2' } }))).to.contain('subject')
    expect(held(containing({ modifierExtension: [{ url: 'urn:x' }] }))).to.contain('modifierExtension')
  })

  it('whose document contains its Binary and its patient is read there', () => {
    const [{ attachment } = { attachment: { data: '' } }] = document.content as { attachment: { data: string } }[]
    const binary = { resourceType: 'Binary', id: 'b', contentType: 'application/pdf', data: attachment.data }
    const json = {
      ...document,
      contained: [binary, { ...patient, id: 'p' }, { ...practitioner, id: 'd' }],
      ...{ subject: { reference: '#p' }, authenticator: { reference: '#d' } },
      content: [{ attachment: { contentType: 'application/pdf', url: '#b' } }],
    }
    expect(right(json)).to.equal(OF_DOCUMENT)
  })

  it('of a patient who died is sent, and of one whom another record replaces is held', () => {
    const of = (change: Resource) => aBundle(document, { ...patient, ...change }, practitioner)
    expect(right(of({ deceasedDateTime: '2026-01-15T10:00:00-06:00' }))).to.equal(OF_DOCUMENT)
    const link = (type: string) => ({ link: [{ other: { reference: 'Patient/p9' }, type }] })
    expect(held(of(link('replaced-by')))).to.contain('Patient.link.type')
    expect(held(of({ link: [...link('replaces').link, ...link('replaced-by').link] }))).to.contain('Patient.link.type')
    expect(right(of(link('seealso')))).to.equal(OF_DOCUMENT)
  })

  it('keeps the zeros of an id, and does not take a number for text', () => {
    const of = (value: unknown) =>
      aBundle({ ...document, masterIdentifier: { system: 'urn:lake:docs', value } }, patient, practitioner)
    expect(bodyOf(mappedBundle(of('000123'))).document.externalDocId).to.equal('urn:lake:docs|000123')
    expect(held(of(123))).to.contain('masterIdentifier.value')
  })

  it('that names one person twice is sent, also by two resources', () => {
    const twin = { ...practitioner, id: 'd2' }
    const of = (other: Resource) =>
      aBundle(
        {
          ...document,
          authenticator: undefined,
          author: [{ reference: 'Practitioner/d1' }, { reference: `Practitioner/${other.id}` }],
        },
        ...[patient, practitioner, ...(other === practitioner ? [] : [other])],
      )
    expect(right(of(practitioner))).to.equal(OF_DOCUMENT)
    expect(right(of(twin))).to.equal(OF_DOCUMENT)
    expect(held(of({ ...twin, identifier: [{ system: 'urn:x', value: '7' }] }))).to.contain('author')
  })

  it('whose reference to a role or an organization says another NPI than what it leads to is held', () => {
    const npi = (value: string) => ({ system: 'http://hl7.org/fhir/sid/us-npi', value })
    const of = (user: string, organization: string) => [
      { ...request, requester: { reference: 'PractitionerRole/r1', identifier: npi(user) } },
      ...[document, patient, practitioner],
      { ...role, organization: { reference: 'Organization/o1', identifier: npi(organization) } },
      { resourceType: 'Organization', id: 'o1', identifier: [npi('9999901017')] },
    ]
    expect(right(aBundle(...of('9999900019', '9999901017')))).to.equal(RIGHT)
    expect(held(aBundle(...of('9999900027', '9999901017')))).to.contain('requester.identifier: identifies someone else')
    expect(held(aBundle(...of('9999900019', '9999901025')))).to.contain('organization.identifier: identifies someone')
  })

  it('takes ten digits for an NPI only where their system or type says so', () => {
    const staff = { system: 'urn:lake:staff', value: '9999900027' }
    const of = (...identifier: Resource[]) => aBundle(request, document, patient, role, { ...practitioner, identifier })
    expect(right(of(staff, ...(practitioner.identifier as Resource[])))).to.equal(RIGHT)
    expect(held(of(staff))).to.contain('has no NPI')
  })

  it('with two documents, of which one is not a PDF, has the PDF; with two PDFs it is held', () => {
    const xml = {
      ...document,
      id: 'doc2',
      masterIdentifier: { system: 'urn:lake:docs', value: 'DOC-2' },
      content: [{ attachment: { contentType: 'text/xml', data: 'PGEvPg==' } }],
    }
    const both = {
      ...request,
      supportingInfo: ['doc1', 'doc2'].map((id) => ({ reference: `DocumentReference/${id}` })),
    }
    expect(right(aBundle(both, document, xml, patient, role, practitioner))).to.equal(RIGHT)
    expect(held(aBundle(both, document, { ...xml, content: document.content }, patient, role, practitioner))).to.match(
      /holds 2 PDFs/,
    )
  })

  it('on two servers whose addresses differ in the scheme alone is about two patients', () => {
    const json = aBundle(document, patient, practitioner) as { entry: { fullUrl: string }[] }
    const [first, ...others] = json.entry
    const moved = { ...first!, fullUrl: first!.fullUrl.replace('https:', 'http:') }
    expect(held({ ...json, entry: [moved, ...others] })).to.contain('subject')
  })

  it('that names a patient by a reference, and another one by an identifier, is held', () => {
    const subject = (identifier: Resource) => ({ reference: 'Patient/p1', identifier })
    const mrn = { system: 'urn:oid:1.2.36.146.595.217.0.1', value: 'WC100098' }
    const of = (identifier: Resource) => aBundle({ ...document, subject: subject(identifier) }, patient, practitioner)
    expect(right(of(mrn))).to.equal(OF_DOCUMENT)
    const others = [{ ...mrn, value: 'WC2' }, { ...mrn, system: 'urn:other' }, { value: 'WC100098' }]
    for (const other of others) expect(held(of(other))).to.contain('DocumentReference.subject.identifier')
    const inDocument = { ...document, subject: subject({ ...mrn, value: 'WC2' }) }
    expect(held(aBundle(request, inDocument, patient, role, practitioner))).to.contain('supportingInfo[0].subject')
  })

  const stranger = { ...patient, id: 'p2', identifier: [{ system: 'urn:other', value: 'WC2' }] }

  it('with a diagnosis of another patient is held', () => {
    const of = (subject: string) =>
      aBundle(...[request, document, patient, role, practitioner, stranger], {
        ...condition,
        subject: { reference: subject },
      })
    expect(bodyOf(mappedBundle(of('Patient/p1'))).document.diagnosisCode).to.equal('I50.9')
    expect(held(of('Patient/p2'))).to.contain('reasonReference[0].subject: is another patient')
  })

  it('that replaces a document of another patient is held', () => {
    const of = (subject: string) =>
      aBundle(
        { ...document, relatesTo: [{ code: 'replaces', target: { reference: 'DocumentReference/old' } }] },
        {
          ...document,
          id: 'old',
          status: 'superseded',
          masterIdentifier: { value: 'OLD' },
          subject: { reference: subject },
        },
        ...[patient, practitioner, stranger],
      )
    expect(right(of('Patient/p1'))).to.equal(OF_DOCUMENT.replace('create', 'replace'))
    expect(held(of('Patient/p2'))).to.contain('relatesTo[0].target.subject: is another patient')
  })

  it('without a status, or without the intent of its request, is held', () => {
    const task = {
      resourceType: 'Task',
      id: 't1',
      status: 'requested',
      intent: 'order',
      focus: { reference: 'DocumentReference/doc1' },
    }
    for (const [type, name] of [
      ['DocumentReference', 'status'],
      ['ServiceRequest', 'status'],
      ['ServiceRequest', 'intent'],
      ['Task', 'status'],
      ['Task', 'intent'],
    ] as const)
      for (const missing of [undefined, null, [], '']) {
        const all = type === 'Task' ? [task, document, patient, practitioner] : order
        const changed = all.map((one: Resource) => (one.resourceType === type ? { ...one, [name]: missing } : one))
        expect(held(aBundle(...changed)), `${type}.${name} ${missing}`).to.contain(`${type}.${name}: is missing`)
      }
  })

  it('of a test is held, unless the map takes tests', () => {
    const HTEST = { system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason', code: 'HTEST' }
    const tests = (meta: Resource, type: string) =>
      aBundle(...order.map((one) => (one.resourceType === type ? { ...one, meta } : one)))
    for (const { resourceType } of order)
      for (const meta of [{ security: [HTEST] }, { tag: [{ code: 'x' }, HTEST] }])
        expect(held(tests(meta, String(resourceType)))).to.contain(`${resourceType}.meta`)
    expect(held({ ...aBundle(...order), meta: { security: [HTEST] } })).to.contain('Bundle.meta')
    const real = { security: [{ ...HTEST, code: 'HPAYMT' }], tag: [{ code: 'x' }] }
    expect(right(tests(real, 'Patient'))).to.equal(RIGHT)
    expect(right(tests({ security: [HTEST] }, 'Patient'), { processingIds: ['P', 'T'] })).to.equal(RIGHT)
  })

  it('whose URL says another id than its resource is held', () => {
    const json = aBundle(document, patient, practitioner) as { entry: { fullUrl: string }[] }
    const [first, ...others] = json.entry
    const renamed = (url: string) => ({ ...json, entry: [{ ...first!, fullUrl: url }, ...others] })
    expect(held(renamed('https://ehr.example/DocumentReference/doc9'))).to.contain('Bundle.entry.fullUrl')
    expect(right(renamed('https://ehr.example/DocumentReference/doc1/_history/4'))).to.equal(OF_DOCUMENT)
  })

  it('with a PDF in the attachment, and another one where its url leads, is held', () => {
    const other = Buffer.from('%PDF-1.4\n2 0 obj<<>>endobj\n%%EOF\n').toString('base64')
    const { attachment } = (document.content as { attachment: Resource }[])[0]!
    const of = (data: unknown) =>
      aBundle(
        { ...document, content: [{ attachment: { ...attachment, url: 'Binary/b1' } }] },
        ...[patient, practitioner, { resourceType: 'Binary', id: 'b1', contentType: 'application/pdf', data }],
      )
    expect(right(of(attachment.data))).to.equal(OF_DOCUMENT)
    expect(held(of(other))).to.contain('content[0].attachment: holds another document than its url')
  })

  it('knows the document of a request by its own id, too', () => {
    const aliasesOf = (json: unknown) => {
      const result = mappedBundle(json)
      return result.ok ? result.aliases : result.held
    }
    expect(aliasesOf(aBundle(...order))).to.deep.equal(['urn:lake:docs|DOC-000123'])
    const filler = { type: { coding: [{ code: 'FILL' }] }, system: 'urn:lab', value: 'F-1' }
    const both = { ...request, identifier: [filler, { ...filler, type: { coding: [{ code: 'PLAC' }] }, value: 'P-1' }] }
    expect(aliasesOf(aBundle(both, ...order.slice(1)))).to.deep.equal(['urn:lab|F-1', 'urn:lake:docs|DOC-000123'])
    expect(aliasesOf(aBundle({ ...request, status: 'revoked' }, ...order.slice(1)))).to.equal(undefined)
    expect(aliasesOf(aBundle(document, patient, practitioner))).to.equal(undefined)
  })

  describe('about an organization', () => {
    const site = (value: string) => ({ identifier: [{ system: 'urn:lake:sites', value }] })
    const of = (ofRole: Resource | undefined, custodian: Resource | undefined) =>
      aBundle(
        {
          ...document,
          authenticator: { reference: 'PractitionerRole/r1' },
          custodian: custodian && { reference: 'Organization/o2' },
        },
        { ...role, organization: ofRole && { reference: 'Organization/o1' } },
        ...[patient, practitioner],
        ...(ofRole ? [{ resourceType: 'Organization', id: 'o1', ...ofRole }] : []),
        ...(custodian ? [{ resourceType: 'Organization', id: 'o2', ...custodian }] : []),
      )
    const orgOf = (json: unknown, map: MapFileInput = listed) =>
      bodyOf(mappedBundle(json, map)).performers[0]?.organization?.orgNPI

    it('that the table lacks is held, and the custodian is not taken in its place', () => {
      expect(held(of(site('ELSEWHERE'), site('LAKE')), listed)).to.contain('authenticator.organization')
      expect(held(of(undefined, site('ELSEWHERE')), listed)).to.contain('custodian')
      expect(orgOf(of(site('ELSEWHERE'), site('LAKE')), {})).to.equal(undefined)
    })

    it('that the table has is taken: that of the role, or the custodian', () => {
      expect(orgOf(of(site('LAKE'), undefined))).to.equal('9999901017')
      expect(orgOf(of(undefined, site('LAKE')))).to.equal('9999901017')
    })
  })
})
