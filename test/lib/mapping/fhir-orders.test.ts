/** Bundles of FHIR R4 that were once mapped to another patient, signer or document, or held without need. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { readJson } from '../../../lib/client/answers/read-json.ts'
import { mapFhir } from '../../../lib/mapping/map-fhir.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

const map = {
  documentTypes: { '52030-8': { documentTypeId: 104 }, WC: { documentTypeId: 111 }, CBC: { documentTypeId: 104 } },
}
const textOf = (name: string) =>
  readFileSync(new URL(`../../fixtures/fhir-orders/${name}.json`, import.meta.url), 'utf8')
const mapped = (name: string) => mapFhir(readJson(textOf(name)), map)

describe('A Bundle in FHIR R4 of the collected ones', () => {
  const held: [name: string, place: string][] = [
    ['relative-reference-to-another-server', 'DocumentReference.subject: '],
    ['request-whose-document-is-in-error', 'DocumentReference.status: '],
    ['same-id-on-two-servers', 'ServiceRequest.supportingInfo[0].subject: '],
    ['superseded-document', 'DocumentReference.status: '],
    ['fhir-superseded', 'DocumentReference.status: '],
    ['fhir-do-not-perform', 'ServiceRequest.doNotPerform: '],
    ['fhir-draft', 'ServiceRequest.status: '],
  ]
  for (const [name, place] of held)
    it(`is held: ${name}`, () => expect(heldBy(mapped(name)).some((reason) => reason.startsWith(place))).to.equal(true))

  it('names the signer whom the role itself contains', () =>
    expect(bodyOf(mapped('contained-in-the-role')).performers[0]?.signer.userNPI).to.equal('9999900019'))

  it('has the id of its placer, not that of the visit', () => {
    expect(bodyOf(mapped('order-with-a-visit-number')).document.externalDocId).to.equal('urn:hub|ORD-1')
    expect(mapped('revoked-order-with-a-visit-number')).to.deep.include({
      action: 'retract',
      externalDocId: 'urn:hub|ORD-2',
    })
  })

  for (const name of ['npi-as-oid', 'content-type-in-capitals', 'fhir-pdf-after-newline', 'binary-with-leading-slash'])
    it(`is read: ${name}`, () => expect(bodyOf(mapped(name)).performers[0]?.signer.userNPI).to.equal('9999900035'))

  it('is read after a byte order mark', () =>
    expect(mapFhir(readJson(`\uFEFF${textOf('npi-as-oid')}`), map)).to.deep.equal(mapped('npi-as-oid')))
})
