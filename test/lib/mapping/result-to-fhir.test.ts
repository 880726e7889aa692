import { createHash } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { collectionOf } from '../../../lib/mapping/fhir/collection.ts'
import { NOT_COPIED } from '../../../lib/mapping/fhir-result/copied.ts'
import { canBeRepeated, type FhirOrigin, originOf as originIn } from '../../../lib/mapping/fhir-result/origin.ts'
import { type FhirResultHabits, resultToFhir } from '../../../lib/mapping/fhir-result/result-to-fhir.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import type { Signature } from '../../../lib/pdf/read-signature.ts'
import { wrongInR4 } from '../../support/fhir/valid-r4.ts'
import { aBundle, document, patient, practitioner, request, role } from '../../support/hl7/a-bundle.ts'

const signed = Buffer.from('%PDF-1.7 signed')
const at = Date.UTC(2026, 0, 17, 10, 30)
const originOf = (json: unknown): FhirOrigin => originIn({ collection: collectionOf(json)!, map: readMapFile({}), at })
const usual: FhirResultHabits = { content: 'inline', dayWithTime: false }

interface Entry {
  fullUrl: string
  resource: { data?: string; content?: { attachment: object }[] }
  request: object
}

interface Asked {
  status?: TaskStatus
  origin?: FhirOrigin
  habits?: Partial<FhirResultHabits>
  pdf?: Buffer | undefined
  updatedAt?: string
  signature?: Partial<Signature>
  occurredAtUtc?: string
}
const CALDER = { name: 'Ruth Calder DO', npi: '9999900019' }
const VOSS = { name: 'Vera Voss', npi: '9999900027' }
/** What a seal says, on another day than that of the result. */
const SIGNED: Signature = {
  verdict: 'valid',
  signer: CALDER,
  onBehalfOf: null,
  signedAt: '2026-01-14T08:15:00.000Z',
  timestamp: null,
  isTest: false,
}
function result({
  status = 'Completed',
  origin = originOf(aBundle(document, patient)),
  habits,
  signature = {},
  ...others
}: Asked = {}) {
  const { pdf, updatedAt = null } = { pdf: signed, ...others }
  const task = {
    taskId: 7,
    status,
    statusReason: 'Not my patient',
    externalDocId: 'urn:lake:docs|DOC-000123',
    updatedAt,
  }
  const { occurredAtUtc } = others
  const given = { task, pdf, origin, at, signature: { ...SIGNED, ...signature }, occurredAtUtc }
  return resultToFhir(given, { ...usual, ...habits })
}
const made = (asked?: Asked) => {
  const one = result(asked)
  if (!one.ok) throw new Error(one.held.join())
  return one
}

describe('A result in FHIR R4', () => {
  it('of a signed document is a new one that replaces the one that was sent', () => {
    const origin = originOf(aBundle(document, patient, practitioner))
    const { resource, ifNoneExist } = made({ origin, updatedAt: '2026-01-17T10:29:00' })
    const identifier = { system: 'urn:countersign:signed', value: createHash('sha256').update(signed).digest('hex') }
    const signer = { reference: 'https://ehr.example/Practitioner/d1' }
    expect(resource).to.deep.equal({
      resourceType: 'DocumentReference',
      masterIdentifier: identifier,
      identifier: [identifier],
      status: 'current',
      docStatus: 'final',
      type: { coding: [{ system: 'http://loinc.org', code: '52030-8' }] },
      subject: { reference: 'https://ehr.example/Patient/p1' },
      date: '2026-01-14T08:15:00.000Z',
      authenticator: signer,
      relatesTo: [{ code: 'replaces', target: { reference: 'https://ehr.example/DocumentReference/doc1' } }],
      content: [
        {
          attachment: {
            contentType: 'application/pdf',
            data: signed.toString('base64'),
            size: signed.length,
            hash: createHash('sha1').update(signed).digest('base64'),
            creation: '2026-01-14T08:15:00.000Z',
          },
        },
      ],
      context: { period: { start: '2026-01-15T23:30:00-06:00' } },
    })
    expect(ifNoneExist).to.equal(`identifier=${encodeURIComponent(`${identifier.system}|${identifier.value}`)}`)
    expect(wrongInR4(resource)).to.deep.equal([])
  })

  it('can have the PDF in a separate Binary', () => {
    const { resource, ifNoneExist } = made({ habits: { content: 'binary' } })
    const [binary, reference] = resource.entry as Entry[]
    expect(binary!.fullUrl).to.match(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Buffer.from(binary!.resource.data!, 'base64').equals(signed)).to.equal(true)
    expect(reference!.resource.content?.[0]?.attachment).to.include({ url: binary!.fullUrl, size: signed.length })
    expect(reference!.resource.content?.[0]?.attachment).to.not.have.property('data')
    expect(reference!.request).to.deep.equal({ method: 'POST', url: 'DocumentReference', ifNoneExist })
    expect(wrongInR4(resource)).to.deep.equal([])
  })

  it('of a document whose author alone is known names the author as the one who has signed', () => {
    const { authenticator: _, ...others } = document
    const origin = originOf(aBundle({ ...others, author: [{ reference: 'Practitioner/d1' }] }, patient, practitioner))
    const author = { reference: 'https://ehr.example/Practitioner/d1' }
    expect(origin).to.deep.include({ signer: author, signerNpi: CALDER.npi })
    expect(made({ origin }).resource.authenticator).to.deep.equal(author)
    expect(made({ origin, signature: { signer: VOSS } }).resource.authenticator).to.not.deep.include(author)
  })

  it('has the visit of the request where the document has none', () => {
    const visit = (id: string) => ({ reference: `https://ehr.example/Encounter/${id}` })
    const asked = { ...request, encounter: visit('e1') }
    const encounterOf = (...resources: Record<string, unknown>[]) => originOf(aBundle(...resources, patient)).encounter
    expect(encounterOf(asked, document)).to.deep.equal([visit('e1')])
    const own = { ...document, context: { encounter: [visit('e2'), visit('e3')] } }
    expect(encounterOf(asked, own)).to.deep.equal([visit('e2'), visit('e3')])
    expect(encounterOf(request, document)).to.deep.equal([])
    expect(made({ origin: originOf(aBundle(asked, document, patient)) }).resource.context).to.deep.include({
      encounter: [visit('e1')],
    })
  })

  it('of an outcome without a signature is this and nothing else', () => {
    const task = {
      ...{ resourceType: 'Task', id: 't1', status: 'requested', intent: 'order' },
      ...{ for: document.subject, owner: document.authenticator, focus: { reference: 'DocumentReference/doc1' } },
    }
    const origin = originOf(aBundle(task, document, patient, practitioner))
    const at = (path: string) => ({ reference: `https://ehr.example/${path}` })
    const { resource, ifNoneExist } = made({ status: 'Rejected', origin, updatedAt: '2026-01-17T10:29:00' })
    const value = createHash('sha256').update('urn:lake:docs|DOC-000123\n7\nRejected').digest('hex')
    expect(resource).to.deep.equal({
      ...{ resourceType: 'Task', identifier: [{ system: 'urn:countersign:outcome', value }], status: 'rejected' },
      ...{ statusReason: { text: 'Not my patient' }, intent: 'order', lastModified: '2026-01-17T10:29:00.000Z' },
      ...{ basedOn: [at('Task/t1')], focus: at('DocumentReference/doc1'), for: at('Patient/p1') },
      owner: at('Practitioner/d1'),
    })
    expect(ifNoneExist).to.equal(`identifier=${encodeURIComponent(`urn:countersign:outcome|${value}`)}`)
    const { signer: _, ...unsigned } = origin
    expect(made({ status: 'Rejected', origin: unsigned }).resource).to.not.have.property('owner')
    expect(wrongInR4(resource)).to.deep.equal([])
  })

  it('of an origin without the members of a document has the custodian and the period', () => {
    const custodian = { reference: 'https://ehr.example/Organization/o1' }
    for (const period of [{ start: '2026-01-15' }, { end: '2026-01-16' }, { start: '2026-01-15', end: '2026-01-16' }]) {
      const { copied: _, ...without } = { ...originOf(aBundle(document, patient)), custodian, period }
      const { resource } = made({ origin: without })
      expect(resource).to.deep.include({ custodian, context: { period } })
      const timed = made({ origin: without, habits: { dayWithTime: true } }).resource.context
      const noon = Object.entries(period).map(([name, day]) => [name, `${day}T12:00:00Z`])
      expect(timed).to.deep.equal({ period: Object.fromEntries(noon) })
    }
  })

  it('in a Bundle names the Binary, the document and the Provenance apart', () => {
    const habits = { content: 'binary', provenance: true } as const
    const entries = made({ habits }).resource.entry as Entry[]
    const urls = entries.flatMap(({ fullUrl }) => fullUrl ?? [])
    expect(urls).to.have.length(2)
    expect(new Set(urls).size).to.equal(2)
    expect(entries.map(({ resource }) => (resource as { resourceType?: string }).resourceType)).to.deep.equal([
      ...['Binary', 'Provenance', 'DocumentReference'],
    ])
    const [, provenance, reference] = entries
    expect(provenance!.resource).to.deep.include({ target: [{ reference: reference!.fullUrl }] })
    expect(reference!.resource.content?.[0]?.attachment).to.include({ url: entries[0]!.fullUrl })
  })

  it('of a document with several contents is about the one with the PDF', () => {
    const xml = { attachment: { contentType: 'text/xml', data: 'PGEvPg==', title: 'XML' } }
    const [pdf] = document.content as object[]
    const several = { ...document, content: [xml, pdf] }
    const other = { ...document, id: 'doc2', masterIdentifier: undefined, content: [xml] }
    const asked = {
      ...request,
      supportingInfo: ['doc2', 'doc1'].map((id) => ({ reference: `DocumentReference/${id}` })),
    }
    const origin = originOf(aBundle(asked, other, several, patient))
    expect(origin.document).to.deep.equal({ reference: 'https://ehr.example/DocumentReference/doc1' })
  })

  it('names the identifier of what is not in the message, and keeps a display in what is copied', () => {
    const identifier = { system: 'urn:lake:people', value: 'A-7' }
    const missing = { reference: 'urn:uuid:00000000-0000-4000-8000-000000000000', identifier }
    const nameless = { ...practitioner, id: 'd9', identifier: undefined }
    const origin = originOf({
      ...{ resourceType: 'Bundle', type: 'collection' },
      entry: [
        { fullUrl: 'urn:uuid:11111111-0000-4000-8000-000000000000', resource: nameless },
        { fullUrl: 'https://ehr.example/Patient/p1', resource: patient },
        {
          fullUrl: 'https://ehr.example/DocumentReference/doc1',
          resource: {
            ...document,
            ...{ custodian: missing },
            author: [
              { reference: 'urn:uuid:11111111-0000-4000-8000-000000000000', display: 'Dr. Marsh' },
              { reference: 'urn:uuid:11111111-0000-4000-8000-000000000000' },
            ],
          },
        },
      ],
    })
    expect(origin.custodian).to.deep.equal({ identifier })
    expect(origin.copied).to.deep.include({ custodian: { identifier }, author: [{ display: 'Dr. Marsh' }] })
  })

  it('has a type of LOINC, or UNK, by the profile of US Core alone', () => {
    const own = { coding: [{ system: 'urn:lake', code: 'CMS485' }], text: 'Plan' }
    const loinc = { coding: [...own.coding, { system: 'http://loinc.org', code: '52030-8' }] }
    const unknown = { system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor', code: 'UNK' }
    const typeOf = (type: object, profile?: 'plain' | 'us-core' | 'mhd') => {
      const habits = { ...(profile && { profile }), ...(profile === 'mhd' && { content: 'binary' as const }) }
      const { resource } = made({ origin: originOf(aBundle({ ...document, type }, patient)), habits })
      const signed = profile === 'mhd' ? (resource.entry as Entry[]).at(-1)!.resource : resource
      return (signed as { type?: object }).type
    }
    expect(typeOf(own, 'us-core')).to.deep.equal({ ...own, coding: [...own.coding, unknown] })
    expect(typeOf({ text: 'Plan' }, 'us-core')).to.deep.equal({ text: 'Plan', coding: [unknown] })
    expect(typeOf(loinc, 'us-core')).to.deep.equal(loinc)
    for (const profile of [undefined, 'plain', 'mhd'] as const)
      for (const type of [own, loinc]) expect(typeOf(type, profile), `${profile}`).to.deep.equal(type)
  })

  it('names the document by its type and id where the message does not say on which server it is', () => {
    const alone = originOf({ ...document, subject: { identifier: { system: 'urn:x', value: '7' } } })
    expect(alone.document).to.deep.equal({ reference: 'DocumentReference/doc1' })
    const { id: _, ...nameless } = document
    expect(originOf(nameless).document).to.deep.equal({
      type: 'DocumentReference',
      identifier: document.masterIdentifier,
    })
  })

  it('repeats an order of up to 50,000 values and 100 levels, and no larger one', () => {
    const nested = (levels: number): object => (levels === 0 ? {} : { extension: nested(levels - 1) })
    const many = (count: number) => ({ extension: Array.from({ length: count }, () => 1) })
    const canBe = (...resources: Record<string, unknown>[]) => canBeRepeated(collectionOf(aBundle(...resources))!)
    expect(canBe(document, patient)).to.equal(true)
    for (const owner of [document, request, { ...request, resourceType: 'Task' }]) {
      expect(canBe({ ...owner, ...nested(100) }), owner.resourceType as string).to.equal(true)
      expect(canBe({ ...owner, ...nested(101) })).to.equal(false)
      expect(canBe({ ...owner, ...many(49_000) })).to.equal(true)
      expect(canBe({ ...owner, ...many(50_001) })).to.equal(false)
    }
    expect(canBe({ ...document, ...many(30_000) }, { ...request, ...many(30_000) }), 'together').to.equal(false)
    expect(canBe({ ...patient, ...many(60_000) }), 'what is not repeated').to.equal(true)
    expect(canBe({ ...document, extension: null })).to.equal(true)
  })

  const statuses: [TaskStatus, string][] = [
    ['Rejected', 'rejected'],
    ['Failed', 'failed'],
    ['Retracted', 'cancelled'],
    ['Cancelled', 'cancelled'],
  ]
  for (const [status, inFhir] of statuses)
    it(`of a ${status} task is a Task that is ${inFhir}, about what was sent`, () => {
      const { resource } = made({ status, pdf: undefined })
      expect(resource).to.deep.include({
        resourceType: 'Task',
        status: inFhir,
        intent: 'order',
        statusReason: { text: 'Not my patient' },
        focus: { reference: 'https://ehr.example/DocumentReference/doc1' },
        for: { reference: 'https://ehr.example/Patient/p1' },
        lastModified: '2026-01-17T10:30:00.000Z',
      })
      expect(wrongInR4(resource)).to.deep.equal([])
    })

  it('names the request and the task that asked for it', () => {
    const task = {
      resourceType: 'Task',
      id: 't1',
      focus: { reference: 'ServiceRequest/s1' },
      owner: { reference: 'PractitionerRole/r1' },
    }
    const origin = originOf(aBundle(task, request, document, patient, practitioner, role))
    const related = [
      { reference: 'https://ehr.example/Task/t1' },
      { reference: 'https://ehr.example/ServiceRequest/s1' },
    ]
    const { resource } = made({ origin })
    expect(resource.context).to.deep.include({ related })
    expect(resource.authenticator).to.deep.equal({ reference: 'https://ehr.example/PractitionerRole/r1' })
    expect(wrongInR4(resource)).to.deep.equal([])
    expect(made({ origin, status: 'Rejected' }).resource.basedOn).to.deep.equal(related)
  })

  it('keeps relative what the message does not say a server of', () => {
    const { resource } = made({
      origin: originOf({ ...document, context: { encounter: [{ reference: 'Encounter/e1' }] } }),
    })
    expect(resource.subject).to.deep.equal({ reference: 'Patient/p1' })
    expect(resource.context).to.deep.include({ encounter: [{ reference: 'Encounter/e1' }] })
  })

  it('names by their identifiers those whom no server knows by the reference of the message', () => {
    const [identifier] = patient.identifier as object[]
    const ssn = { system: 'http://hl7.org/fhir/sid/us-ssn', value: '987-65-4320' }
    const contained = [{ ...patient, id: 'p', identifier: [ssn, identifier] }]
    const alone = { ...document, id: undefined, contained, subject: { reference: '#p' } }
    const { resource } = made({ origin: originOf(alone) })
    expect(resource.subject).to.deep.equal({ type: 'Patient', identifier })
    expect(resource.relatesTo).to.deep.equal([
      { code: 'replaces', target: { type: 'DocumentReference', identifier: document.masterIdentifier } },
    ])
    expect(wrongInR4(resource)).to.deep.equal([])
  })

  it('names the delegate who signed, by NPI, and the time of the seal, in a Provenance as well', () => {
    const origin = originOf(aBundle(document, patient, practitioner))
    const signature = { signer: VOSS, onBehalfOf: CALDER }
    const { resource } = made({ origin, signature, habits: { provenance: true } })
    const [provenance, entry] = resource.entry as (Entry & { resource: Record<string, unknown> })[]
    const voss = {
      type: 'Practitioner',
      identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value: VOSS.npi },
      display: VOSS.name,
    }
    expect(entry!.resource).to.deep.include({ authenticator: voss, date: SIGNED.signedAt })
    const calder = { reference: 'https://ehr.example/Practitioner/d1' }
    expect(provenance!.resource).to.deep.include({
      target: [{ reference: entry!.fullUrl }],
      occurredDateTime: SIGNED.signedAt,
      recorded: SIGNED.signedAt,
    })
    const [agent] = provenance!.resource.agent as object[]
    expect(agent).to.deep.include({ who: voss, onBehalfOf: calder })
    const [own] = provenance!.resource.signature as object[]
    expect(own).to.deep.include({ who: voss, onBehalfOf: calder, when: SIGNED.signedAt })
    expect(wrongInR4(resource)).to.deep.equal([])
    // Neither a Provenance nor an authenticator of a person whom no seal names.
    const unknown = made({
      origin,
      signature: { verdict: 'unknown', signer: null, signedAt: null },
      habits: { provenance: true },
    })
    expect(unknown.resource.resourceType).to.equal('DocumentReference')
    expect(unknown.resource).to.not.have.any.keys('authenticator', 'date')
  })

  it('has the time of the event without a verified seal', () => {
    const signature = { verdict: 'none', signer: null, signedAt: null } as const
    const { resource } = made({ signature, occurredAtUtc: '2026-01-13T07:00:00Z' })
    expect(resource.date).to.equal('2026-01-13T07:00:00.000Z')
    expect(resource).to.not.have.property('authenticator')
  })

  it('copies everything of the document that was sent but what is listed', () => {
    const coding = fc.record({ system: fc.constant('urn:s'), code: fc.string({ minLength: 1 }) })
    const concept = fc.record({ coding: fc.array(coding, { minLength: 1 }), text: fc.string({ minLength: 1 }) })
    const reference = fc.constantFrom(
      { reference: 'https://a.example/fhir/Practitioner/1' },
      { reference: 'Device/2' },
      { display: 'x' },
    )
    const extension = fc.record({ url: fc.webUrl(), valueString: fc.string({ minLength: 1 }) })
    const listOf = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 3 })
    const element = fc.record(
      {
        category: listOf(concept),
        securityLabel: listOf(concept),
        author: listOf(reference),
        custodian: reference,
        description: fc.string({ minLength: 1 }),
        language: fc.constant('en-US'),
        extension: listOf(extension),
        modifierExtension: listOf(extension),
        _description: fc.record({ extension: listOf(extension) }),
        meta: fc.record({ security: listOf(coding), tag: listOf(coding) }),
      },
      { requiredKeys: [] },
    )
    const context = fc.record(
      {
        event: listOf(concept),
        facilityType: concept,
        practiceSetting: concept,
        sourcePatientInfo: reference,
        related: listOf(reference),
      },
      { requiredKeys: [] },
    )
    const ofFile = fc.record(
      { format: coding, title: fc.string({ minLength: 1 }), language: fc.constant('en') },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(element, context, ofFile, (elements, own, { format, ...attachment }) => {
        const [sent] = document.content as unknown as { attachment: object }[]
        const content = [{ ...(format && { format }), attachment: { ...sent!.attachment, ...attachment } }]
        const order = { ...document, ...elements, content, context: { ...(document.context as object), ...own } }
        const { resource } = made({ origin: JSON.parse(JSON.stringify(originOf(order))) })
        for (const [name, value] of Object.entries(order)) {
          if (Object.hasOwn(NOT_COPIED, name) && name !== 'meta') continue
          expect(resource[name], name).to.deep.equal(value)
        }
        const [got] = resource.content as Record<string, unknown>[]
        expect(got!.format).to.deep.equal(format)
        expect(got!.attachment).to.deep.include(attachment)
      }),
      { numRuns: 60, seed: 7 },
    )
  })

  it('is what US Core and IHE MHD expect', () => {
    const core = made({ habits: { profile: 'us-core' } }).resource
    expect(core.category).to.have.length(1)
    const category = [{ coding: [{ system: 'urn:own', code: 'orders' }] }]
    const own = made({ origin: originOf({ ...document, category }), habits: { profile: 'us-core' } }).resource
    expect(own.category).to.deep.equal(category)
    const untyped = result({ origin: originOf({ ...document, type: undefined }), habits: { profile: 'us-core' } })
    expect(untyped).to.include({ ok: false })
    const { entry } = made({ habits: { profile: 'mhd' } }).resource as unknown as { entry: Entry[] }
    const mhd = entry.at(-1)!.resource
    expect(mhd).to.not.have.property('docStatus')
    expect(mhd).to.have.property('relatesTo')
    for (const resource of [core, own, mhd]) expect(wrongInR4(resource)).to.deep.equal([])
  })

  it('is none of a PDF that was changed after it was signed', () => {
    expect(result({ signature: { verdict: 'changed', signer: null, signedAt: null } })).to.include({ ok: false })
  })

  it('gives days a time where the server wants one', () => {
    const origin = originOf({ ...document, context: { period: { start: '2026-01-15', end: '2026-03-15' } } })
    const period = (habits: Partial<FhirResultHabits>) =>
      (made({ origin, habits }).resource.context as { period: object }).period
    expect(period({})).to.deep.equal({ start: '2026-01-15', end: '2026-03-15' })
    expect(period({ dayWithTime: true })).to.deep.equal({ start: '2026-01-15T12:00:00Z', end: '2026-03-15T12:00:00Z' })
  })

  it('keeps nothing of the document that was sent', () => {
    expect(JSON.stringify(originOf(aBundle(document, patient))))
      .to.not.contain('JVBERi0')
      .and.not.contain('Rowan')
  })

  it('is held without an outcome, a signed PDF, a patient, or anything that it belongs to', () => {
    const held = (asked: Asked) => {
      const one = result(asked)
      return one.ok ? [] : one.held.map((reason) => reason.split(':')[0])
    }
    expect(held({ status: 'Pending' })).to.deep.equal(['status'])
    expect(held({ pdf: undefined })).to.deep.equal(['payload'])
    expect(held({ pdf: Buffer.from('<html>') })).to.deep.equal(['payload'])
    expect(held({ origin: originOf({ resourceType: 'Patient' }) })).to.deep.equal(['origin.subject', 'origin.document'])
  })

  it('would be found if it were not valid', () => {
    const { resource } = made()
    expect(wrongInR4({ ...resource, content: undefined })).to.not.deep.equal([])
    expect(wrongInR4({ ...resource, date: 'yesterday' })).to.not.deep.equal([])
    expect(wrongInR4({ ...resource, signedBy: 'x' })).to.not.deep.equal([])
  })
})
