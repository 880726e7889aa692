/** FHIR gives the order of entries, identifiers, codings and reasons no meaning; so an order is the same, or held, in any of them. */
import { expect } from 'chai'
import fc from 'fast-check'
import { mapFhirAt } from '../../../lib/mapping/map-fhir-at.ts'
import { aBundle, condition, document, patient, practitioner, request, role } from '../../support/hl7/a-bundle.ts'
import { mappedBundle, withDocument } from '../../support/hl7/mapped-bundle.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

type Resource = Record<string, unknown>
const map = { documentTypes: { '52030-8': { documentTypeId: 101 }, 'urn:own|X': { documentTypeId: 102 } } }
const AT = Date.parse('2026-01-16T12:00:00Z')
const table0203 = 'http://terminology.hl7.org/CodeSystem/v2-0203'
const typed = (code: string, value: string, more = {}) => ({
  type: { coding: [{ system: table0203, code }] },
  system: 'urn:lake',
  value,
  ...more,
})
const listed = (key: keyof typeof patient) => patient[key] as object[]
const some = (...all: object[]) => fc.subarray(all)
const NPI = 'http://hl7.org/fhir/sid/us-npi'
const icd = (code: string) => ({ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code }] })

const orders = fc
  .record({
    ids: some(
      typed('PLAC', 'P-1'),
      typed('PLAC', 'P-2'),
      typed('FILL', 'F-1'),
      typed('VN', 'V-1'),
      typed('PLAC', 'P-0', { use: 'old' }),
      { system: 'urn:x', value: 'D-1' },
    ),
    patientIds: some(
      typed('MR', 'M-2'),
      typed('PI', 'I-1'),
      typed('MR', 'M-0', { use: 'old' }),
      { system: 'http://hl7.org/fhir/sid/us-ssn', value: '987-65-4320' },
      { system: 'http://hl7.org/fhir/sid/us-ssn', value: '987-65-4321' },
    ),
    names: some({ use: 'maiden', family: 'Oldname', given: ['Tess'] }, { use: 'usual', family: 'Rowan', given: ['T'] }),
    addresses: some({ use: 'work', line: ['1 A'], city: 'B', state: 'MN', postalCode: '11111' }),
    npis: some({ system: NPI, value: '9999900027' }, { system: 'urn:license', value: 'L1' }),
    codings: some({ system: 'urn:own', code: 'X' }, { system: 'urn:own', code: 'Y' }),
    authors: some({ reference: 'Practitioner/d1' }, { reference: 'Practitioner/d2' }),
    reasons: some(icd('E11.9'), icd('I50.9'), icd('I509')),
    hasMaster: fc.boolean(),
    hasRequest: fc.boolean(),
    hasTask: fc.boolean(),
  })
  .map((one) => {
    const task = {
      resourceType: 'Task',
      id: 't1',
      status: 'requested',
      intent: 'order',
      focus: { reference: 'DocumentReference/doc1' },
    }
    return aBundle(
      {
        ...document,
        masterIdentifier: one.hasMaster ? document.masterIdentifier : undefined,
        identifier: one.ids,
        type: { coding: [...(document.type as { coding: object[] }).coding, ...one.codings] },
        author: one.authors,
        authenticator: one.authors.length > 0 ? undefined : document.authenticator,
      },
      {
        ...patient,
        identifier: [...listed('identifier'), ...one.patientIds],
        name: [...listed('name'), ...one.names],
        address: [...listed('address'), ...one.addresses],
      },
      { ...practitioner, identifier: [...(practitioner.identifier as object[]), ...one.npis] },
      { ...practitioner, id: 'd2', identifier: [{ system: NPI, value: '9999900027' }] },
      role,
      condition,
      ...(one.hasRequest ? [{ ...request, identifier: one.ids, reasonCode: one.reasons }] : []),
      ...(one.hasTask ? [task] : []),
    )
  })

/** The parts of a name and of a street are in an order; nothing else is. */
const ORDERED = ['given', 'line']
function inAnotherOrder(value: unknown, isFirst: () => boolean): unknown {
  if (Array.isArray(value)) {
    const moved: unknown[] = []
    for (const one of value) moved.splice(isFirst() ? 0 : moved.length, 0, inAnotherOrder(one, isFirst))
    return moved
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, ORDERED.includes(key) ? part : inAnotherOrder(part, isFirst)]),
  )
}
const withoutOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(withoutOrder(one))).sort()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, withoutOrder(part)]),
  )
}

describe('An order in FHIR, in any order of its lists,', () => {
  it('is the same order, or is held', async () => {
    let mapped = 0
    const became = async (json: unknown) => {
      const { mapped, origin } = await mapFhirAt(json, map, async () => null, AT)
      if (!mapped.ok) return 'held'
      // Where a value was found, and in which words that is told, may name another place of the list.
      const { origins: _, warnings: __, ...rest } = mapped as typeof mapped & { origins?: unknown }
      return withoutOrder({ rest, origin })
    }
    await fc.assert(
      fc.asyncProperty(orders, fc.infiniteStream(fc.boolean()), async (order, choices) => {
        const one = await became(order)
        if (one !== 'held') mapped += 1
        expect(await became(inAnotherOrder(order, () => choices.next().value ?? false))).to.deep.equal(one)
      }),
      { numRuns: 400, seed: 36 },
    )
    expect(mapped, 'orders that were not held').to.be.greaterThan(40)
  })

  it('is held when the map has its codes as different kinds of document', () => {
    const codings = (...codes: string[]): Resource => ({ type: { coding: codes.map((code) => ({ code })) } })
    const types = { A: { documentTypeId: 101 }, B: { documentTypeId: 102 }, C: { documentTypeId: 101 } }
    const mapOf = { documentTypes: types }
    expect(heldBy(mappedBundle(withDocument(codings('A', 'B')), mapOf))).to.deep.equal([
      'DocumentReference.type: the codes "A", "B" are different document types in documentTypes of the map',
    ])
    expect(bodyOf(mappedBundle(withDocument(codings('A', 'C')), mapOf)).document.documentTypeId).to.equal(101)
  })

  it('has no diagnosis when it has several, and says so', () => {
    const withReasons = (...codes: string[]) =>
      mappedBundle(
        aBundle({ ...request, reasonReference: [], reasonCode: codes.map(icd) }, document, patient, practitioner, role),
      )
    expect(bodyOf(withReasons('I50.9', 'I509')).document.diagnosisCode).to.equal('I50.9')
    const several = withReasons('I50.9', 'E11.9')
    expect(bodyOf(several).document.diagnosisCode).to.equal(undefined)
    expect(JSON.stringify(several)).to.include('is one of several diagnoses, so none is sent')
  })
})
