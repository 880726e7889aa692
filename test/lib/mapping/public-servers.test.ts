/** Orders as public FHIR servers word them: by our own hand and of invented people, in the shapes that those servers give. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { addressOf } from '../../../lib/fhir/reference-address.ts'
import { resultToFhir } from '../../../lib/mapping/fhir-result/result-to-fhir.ts'
import { mapFhirAt } from '../../../lib/mapping/map-fhir-at.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { wrongInR4 } from '../../support/fhir/valid-r4.ts'

interface Fixture {
  baseUrl: string
  documentHosts: string[]
  message: { resourceType: string }
  /** What the server has, by URL. */
  there: Record<string, { resourceType: string }>
  expected: Record<'externalId' | 'userNPI' | 'orgNPI' | 'externalDocId', string>
}

const folder = join(import.meta.dirname, '../../fixtures/fhir')
const map = readMapFile({ documentTypes: { 'http://loinc.org|52030-8': { documentTypeId: 101 } } })

const servers = { hapi: 'Bundle', medplum: 'Task', millennium: 'DocumentReference' }

for (const [server, kind] of Object.entries(servers))
  describe(`An order in the shape of ${server}`, () => {
    const fixture: Fixture = JSON.parse(readFileSync(join(folder, `${server}.json`), 'utf8'))
    const { message, there, expected } = fixture
    const mapped = mapFhirAt(message, map, async (reference) => {
      const address = addressOf(reference, fixture)
      const resource = address && there[address.url]
      return resource ? { url: address.url, resource } : null
    })

    it(`is a ${kind} that is mapped as it comes`, async () => {
      expect(message.resourceType).to.equal(kind)
      const { mapped: made } = await mapped
      if (!made.ok || made.action === 'retract') throw new Error(JSON.stringify(made))
      const { patient, performers, document } = made.body
      expect(patient).to.deep.include({ externalId: expected.externalId, sex: 'Female', birthDate: '1952-06-07' })
      expect(patient.names[0]).to.deep.include({ family: 'Rowan', given: ['Tess', 'May'] })
      expect(patient.addresses[0]).to.include({ city: 'Duluth', postalCode: '55802' })
      expect(performers[0]?.signer.userNPI).to.equal(expected.userNPI)
      expect(performers[0]?.organization?.orgNPI).to.equal(expected.orgNPI)
      expect(document).to.include({
        documentTypeId: 101,
        effectiveDate: '2026-01-15',
        externalDocId: expected.externalDocId,
      })
    })

    it('has a result that is valid, and names the document that it replaces', async () => {
      const { origin } = await mapped
      const task = { taskId: 7, status: 'Completed', externalDocId: expected.externalDocId } as const
      const pdf = Buffer.from('%PDF-1.7 signed')
      const result = resultToFhir({ task, pdf, origin: origin!, at: 0 }, { content: 'binary', dayWithTime: true })
      if (!result.ok) throw new Error(result.held.join())
      expect(wrongInR4(result.resource)).to.deep.equal([])
      expect(JSON.stringify(result.resource)).to.match(
        /"code":"replaces","target":\{"reference":"[^"]*DocumentReference\/[\w-]+"/,
      )
    })
  })
