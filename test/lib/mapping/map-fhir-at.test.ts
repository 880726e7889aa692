import { expect } from 'chai'
import { mapFhirAt } from '../../../lib/mapping/map-fhir-at.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { condition, document, patient, practitioner, request, role } from '../../support/hl7/a-bundle.ts'
import { PDF } from '../../support/hl7/an-order.ts'

type Resource = Record<string, unknown>
const map = readMapFile({ documentTypes: { '52030-8': { documentTypeId: 101 } } })
const BASE = 'https://ehr.example/fhir'

/** Maps a resource, with others at the base. Returns what became of it, and what was read. */
async function mappedAt(message: Resource, ...others: Resource[]) {
  const asked: string[] = []
  const { mapped, origin } = await mapFhirAt(message, map, async (reference) => {
    asked.push(reference)
    const name = reference.replace(`${BASE}/`, '').replace(/\/_history\/.*/, '')
    const resource = others.find(({ resourceType, id }) => `${resourceType}/${id}` === name)
    return resource ? { url: `${BASE}/${name}`, resource: resource as never } : null
  })
  return { mapped, origin, asked }
}

describe('A message in FHIR whose resources are elsewhere', () => {
  it('is mapped with what is read, step by step, and each resource once', async () => {
    const reference = { ...document, content: [{ attachment: { contentType: 'application/pdf', url: 'Binary/b1' } }] }
    const binary = { resourceType: 'Binary', id: 'b1', contentType: 'application/pdf', data: PDF }
    const { mapped, origin, asked } = await mappedAt(request, reference, patient, practitioner, role, condition, binary)
    if (!mapped.ok || mapped.action === 'retract') throw new Error(JSON.stringify(mapped))
    expect(mapped.body.document).to.include({ attachment: PDF, diagnosisCode: 'I50.9' })
    expect(mapped.body.performers[0]?.signer.userNPI).to.equal('9999900019')
    expect(mapped.body.performers[0]?.organization?.orgNPI).to.equal('9999901017')
    expect(origin).to.deep.include({
      document: { reference: `${BASE}/DocumentReference/doc1` },
      orders: [{ reference: 'ServiceRequest/s1' }],
      subject: { reference: 'Patient/p1' },
    })
    expect(asked.toSorted()).to.deep.equal([
      'Binary/b1',
      'Condition/c1',
      'DocumentReference/doc1',
      'Patient/p1',
      'Practitioner/d1',
      'PractitionerRole/r1',
    ])
  })

  it('takes a resource under its absolute URL, a version of it, and its relative name for the same', async () => {
    const versioned = {
      ...document,
      subject: { reference: `${BASE}/Patient/p1/_history/3` },
      authenticator: { reference: `${BASE}/Practitioner/d1` },
    }
    const { mapped } = await mappedAt(versioned, patient, practitioner)
    expect(mapped).to.include({ ok: true, action: 'create' })
  })

  it('is held when the base does not have what it refers to', async () => {
    const { mapped, asked } = await mappedAt(document, practitioner)
    expect(mapped).to.deep.equal({
      ok: false,
      held: ['DocumentReference.subject: refers to a resource that is not in the message'],
    })
    expect(asked).to.deep.equal(['Patient/p1', 'Practitioner/d1'])
  })

  it('reads nothing that the message holds, or that is not needed', async () => {
    const contained = [{ ...patient, id: 'p' }]
    const alone = {
      ...document,
      contained,
      subject: { reference: '#p' },
      author: [{ reference: 'Practitioner/other' }],
    }
    expect((await mappedAt(alone, practitioner)).asked).to.deep.equal(['Practitioner/d1'])
    const unknown = { ...alone, subject: { reference: '#q' } }
    expect((await mappedAt(unknown, practitioner)).asked).to.deep.equal(['Practitioner/d1'])
  })

  it('is held when it refers to far too much', async () => {
    const content = Array.from({ length: 60 }, (_, index) => ({
      attachment: { contentType: 'application/pdf', url: `Binary/${index}` },
    }))
    const { mapped, asked } = await mappedAt({ ...document, content }, patient, practitioner)
    expect(mapped.ok).to.equal(false)
    expect(asked).to.deep.equal([])
  })

  it('ends with the failure of a read', async () => {
    const failing = mapFhirAt(document, map, () => Promise.reject(new Error('unreachable')))
    expect(await failing.catch((failure: Error) => failure.message)).to.equal('unreachable')
  })
})
