/** Messages in FHIR and index files that are made to cost much: what is read of them, where, and what a person sees. */
import { expect } from 'chai'
import { mapFhirAt, mapFhirOnce } from '../../../lib/mapping/map-fhir-at.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { MAX_INDEX_BYTES, mapFiles } from '../../../lib/mapping/map-files.ts'
import { createLargeReader, LARGE } from '../../../nodes/shared/large/in-thread.ts'
import { aBundle, document, patient, practitioner } from '../../support/hl7/a-bundle.ts'
import { PDF } from '../../support/hl7/an-order.ts'

const map = readMapFile({ documentTypes: { '52030-8': { documentTypeId: 101 } } })
const readNothing = async () => null
const usual = aBundle(document, patient, practitioner)
const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index))
const onlyReason = (held: readonly string[]) => held.join('\n')

const tooMuch =
  'The message takes more than 0.001 s or 320 MB of memory to read. ' +
  'Check its delimiters, and let the sender divide it into smaller messages.'

describe('A large message in FHIR', function () {
  this.timeout(600_000)
  // An ordinary order with a large PDF, as text, as bytes, and as Node-RED parses it.
  const pdf = Buffer.concat([Buffer.from(PDF, 'base64'), Buffer.alloc(2 * LARGE, ' '), Buffer.from('\n%%EOF\n')])
  const attachment = { contentType: 'application/pdf', data: pdf.toString('base64') }
  const large = aBundle({ ...document, content: [{ attachment }] }, patient, practitioner)
  const forms = (message: object) => [message, JSON.stringify(message), Buffer.from(JSON.stringify(message))]

  it('is mapped in the thread as it would be at once, in each form', async () => {
    const reader = createLargeReader({ ms: 1_000_000, heapMb: 320 })
    const expected = await mapFhirAt(large, map, readNothing, 0)
    expect(expected.mapped.ok).to.equal(true)
    for (const message of forms(large)) expect(await reader.fhir(message, map, readNothing)).to.deep.equal(expected)
  })

  it('is held when it takes too long; a small one has no limit', async () => {
    // No machine reads this in a thousandth of a second.
    const reader = createLargeReader({ ms: 1, heapMb: 320 })
    const heavy = aBundle({ ...document, extension: many(100_000, (n) => ({ url: `u${n}` })) }, patient, practitioner)
    for (const message of forms(heavy))
      expect(await reader.fhir(message, map, readNothing)).to.deep.equal({
        mapped: { ok: false, held: [tooMuch] },
        origin: null,
      })
    for (const message of forms(usual)) expect((await reader.fhir(message, map, readNothing)).mapped.ok).to.equal(true)
  })

  it('has what it refers to read for it, and what was read counts as a part of it', async () => {
    const reader = createLargeReader({ ms: 1_000_000, heapMb: 320 })
    const asked: string[] = []
    const read = async (reference: string) => {
      asked.push(reference)
      return reference === 'Patient/p1'
        ? { url: 'https://ehr.example/fhir/Patient/p1', resource: patient as never }
        : null
    }
    const without = {
      ...large,
      entry: [{ resource: { ...document, content: [{ attachment }] } }, { resource: practitioner }],
    }
    expect((await reader.fhir(without, map, read)).mapped.ok).to.equal(true)
    expect(asked).to.deep.equal(['Patient/p1'])
  })

  it('that cannot be written as JSON is held', async () => {
    const reader = createLargeReader({ ms: 1_000_000, heapMb: 320 })
    const circular: Record<string, unknown> = { ...large }
    circular.extension = [circular]
    expect((await reader.fhir(circular, map, readNothing)).mapped).to.deep.equal({
      ok: false,
      held: ['resourceType: the message cannot be written as JSON, or is nested too deeply'],
    })
  })
})

describe('A hostile message in FHIR', function () {
  this.timeout(120_000)

  it('of many references and many resources is read once, not once for each of them', () => {
    // Comparing each with all others takes five minutes.
    const author = many(50_000, (n) => ({ reference: `Practitioner/${n}` }))
    const devices = many(50_000, (n) => ({ resourceType: 'Device', id: `y${n}` }))
    const message = aBundle({ ...document, author, authenticator: undefined }, patient, ...devices)
    const { mapped } = mapFhirOnce({ message, map, fetched: [], asked: [], at: 0 }) as { mapped: { ok: boolean } }
    expect(mapped.ok).to.equal(false)
  })

  it('of many documents that replace each other is read once', () => {
    const relatesTo = (n: number) => [{ code: 'replaces', target: { reference: `DocumentReference/${n + 1}` } }]
    const all = many(30_000, (n) => ({ resourceType: 'DocumentReference', id: `${n}`, relatesTo: relatesTo(n) }))
    const answer = mapFhirOnce({ message: aBundle(...all), map, fetched: [], asked: [], at: 0 })
    expect('mapped' in answer && answer.mapped.ok).to.equal(false)
  })

  it('of many codes is held with a reason that a person can read', async () => {
    const type = { coding: many(1_000, (n) => ({ code: `c${n}` })) }
    const { mapped } = await mapFhirAt(aBundle({ ...document, type }, patient, practitioner), map, readNothing, 0)
    expect(mapped.ok ? '' : onlyReason(mapped.held)).to.equal(
      'DocumentReference.type: none of the codes "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", … is in documentTypes of the map',
    )
  })

  it('whose result would repeat too much is held', async () => {
    const held =
      'DocumentReference: with its Task and ServiceRequest, has more than 50,000 values or 100 levels that its result would repeat; ' +
      'send them without extensions'
    const nested = (levels: number) => many(levels, () => 0).reduce<unknown>((inner) => [inner], 'x')
    const becomes = async (extension: unknown) => {
      const { mapped, origin } = await mapFhirAt(
        aBundle({ ...document, extension }, patient, practitioner),
        map,
        readNothing,
        0,
      )
      return mapped.ok ? origin !== null : onlyReason(mapped.held)
    }
    expect(await becomes(many(30_000, (n) => ({ url: `${n}` })))).to.equal(held)
    expect(await becomes(nested(150))).to.equal(held)
    expect(await becomes(nested(5_000))).to.equal('DocumentReference: is nested too deeply to be read')
    expect(await becomes(many(10_000, (n) => ({ url: `${n}` })))).to.equal(true)
    expect(await becomes(nested(90))).to.equal(true)
  })
})

describe('An index file', () => {
  it('of more than 256 kB is not read', () => {
    const indexOf = (bytes: number) => Buffer.alloc(bytes, '\n')
    const held = (bytes: number) => {
      const mapped = mapFiles({ index: indexOf(bytes), kind: 'csv', pdf: null }, {})
      return mapped.ok ? [] : mapped.held
    }
    expect(held(MAX_INDEX_BYTES + 1)).to.deep.equal(['index: has more than 256 kB; an index describes one document'])
    expect(held(MAX_INDEX_BYTES)[0]).to.match(/^index: needs a line/)
  })
})
