import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { collectionOf } from '../../../lib/mapping/fhir/collection.ts'
import { type FhirOrigin, originOf as originIn } from '../../../lib/mapping/fhir-result/origin.ts'
import { type FhirResultHabits, resultToFhir } from '../../../lib/mapping/fhir-result/result-to-fhir.ts'
import { wrongInR4 } from '../../support/fhir/valid-r4.ts'
import { aBundle, document, patient, practitioner, request, role } from '../../support/hl7/a-bundle.ts'

const signed = Buffer.from('%PDF-1.7 signed')
const at = Date.UTC(2026, 0, 17, 10, 30)
const originOf = (json: unknown): FhirOrigin => originIn(collectionOf(json)!)
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
}
function result({
  status = 'Completed',
  origin = originOf(aBundle(document, patient)),
  habits,
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
  return resultToFhir({ task, pdf, origin, at }, { ...usual, ...habits })
}
const made = (asked?: Asked) => {
  const one = result(asked)
  if (!one.ok) throw new Error(one.held.join())
  return one
}

describe('A result in FHIR R4', () => {
  it('of a signed document is a new one that replaces the one that was sent', () => {
    const { resource, ifNoneExist } = made({ updatedAt: '2026-01-17T10:29:00' })
    const identifier = { system: 'urn:countersign:signed', value: createHash('sha256').update(signed).digest('hex') }
    const signer = { reference: 'Practitioner/d1' }
    expect(resource).to.deep.equal({
      resourceType: 'DocumentReference',
      masterIdentifier: identifier,
      identifier: [identifier],
      status: 'current',
      docStatus: 'final',
      type: { coding: [{ system: 'http://loinc.org', code: '52030-8' }] },
      subject: { reference: 'Patient/p1' },
      date: '2026-01-17T10:29:00.000Z',
      author: [signer],
      authenticator: signer,
      relatesTo: [{ code: 'replaces', target: { reference: 'https://ehr.example/DocumentReference/doc1' } }],
      content: [
        {
          attachment: {
            contentType: 'application/pdf',
            data: signed.toString('base64'),
            size: signed.length,
            hash: createHash('sha1').update(signed).digest('base64'),
            creation: '2026-01-17T10:29:00.000Z',
          },
        },
      ],
      context: { period: { start: '2026-01-15T23:30:00-06:00' } },
    })
    expect(ifNoneExist).to.equal(`identifier=${encodeURIComponent(`${identifier.system}|${identifier.value}`)}`)
    expect(wrongInR4(resource)).to.deep.equal([])
  })

  it('can have the PDF in a Binary beside it', () => {
    const { resource, ifNoneExist } = made({ habits: { content: 'binary' } })
    const [binary, reference] = resource.entry as Entry[]
    expect(binary!.fullUrl).to.match(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Buffer.from(binary!.resource.data!, 'base64').equals(signed)).to.equal(true)
    expect(reference!.resource.content?.[0]?.attachment).to.include({ url: binary!.fullUrl, size: signed.length })
    expect(reference!.resource.content?.[0]?.attachment).to.not.have.property('data')
    expect(reference!.request).to.deep.equal({ method: 'POST', url: 'DocumentReference', ifNoneExist })
    expect(wrongInR4(resource)).to.deep.equal([])
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
        for: { reference: 'Patient/p1' },
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
    expect(resource.authenticator).to.deep.equal({ reference: 'PractitionerRole/r1' })
    expect(wrongInR4(resource)).to.deep.equal([])
    expect(made({ origin, status: 'Rejected' }).resource.basedOn).to.deep.equal(related)
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
