/** What an order in FHIR R4 sends when it says a thing in several places, or in an unusual form: who, what, which document, when. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { mapFhir } from '../../../lib/mapping/map-fhir.ts'
import { mapFhirAt } from '../../../lib/mapping/map-fhir-at.ts'
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import { aBundle, condition, document, patient, practitioner, request, role } from '../../support/hl7/a-bundle.ts'
import { PDF } from '../../support/hl7/an-order.ts'

type Resource = Record<string, unknown>

const AT = Date.UTC(2026, 0, 16, 12)
const MAP: MapFileInput = { documentTypes: { '52030-8': { documentTypeId: 101 } } }
const MRN = 'urn:oid:1.2.36.146.595.217.0.1'
const NPI = 'http://hl7.org/fhir/sid/us-npi'
const ICD = 'http://hl7.org/fhir/sid/icd-10-cm'

/** Returns what is sent; of a held message, the places of the reasons. */
function read(json: unknown, map: MapFileInput = {}) {
  const mapped = mapFhir(json, { ...MAP, ...map }, AT)
  if (!mapped.ok) return { held: mapped.held, body: undefined, mapped }
  return { held: [], body: mapped.action === 'retract' ? undefined : mapped.body, mapped }
}
const held = (json: unknown, map?: MapFileInput) => read(json, map).held.join('\n')
const bodyOf = (json: unknown, map?: MapFileInput) => {
  const { body, held } = read(json, map)
  if (body === undefined) throw new Error(held.join())
  return body
}
const warnings = (json: unknown, map?: MapFileInput) => {
  const { mapped } = read(json, map)
  return mapped.ok ? mapped.warnings.join('\n') : ''
}
const usual = (change: Resource = {}, ...others: Resource[]) =>
  aBundle({ ...document, ...change }, patient, practitioner, ...others)
const ordered = (change: Resource = {}, ...others: Resource[]) =>
  aBundle({ ...request, ...change }, document, patient, role, practitioner, condition, ...others)
const task = (change: Resource = {}): Resource => ({
  ...{ resourceType: 'Task', id: 't1', status: 'requested', intent: 'order' },
  ...{ focus: { reference: 'DocumentReference/doc1' }, for: { reference: 'Patient/p1' } },
  ...change,
})

describe('The patient of an order in FHIR', () => {
  it('may be named by an identifier in one place and by a reference in another, if it is that of the patient', () => {
    const subject = (value: string, system = MRN) => ({ subject: { identifier: { system, value } } })
    const named = (...given: Parameters<typeof subject>) =>
      aBundle(task(), { ...document, ...subject(...given) }, patient, practitioner)
    expect(bodyOf(named('WC100098')).patient.externalId).to.equal(`${MRN}|WC100098`)
    for (const other of [named('WC100099'), named('WC100098', 'urn:oid:9.9')])
      expect(held(other)).to.match(/subject: is another patient than Task\.for/)
  })

  it('is held when a reference has an identifier of another patient, in value or in system', () => {
    const subject = (identifier: object) => usual({ subject: { reference: 'Patient/p1', identifier } })
    expect(bodyOf(subject({ system: MRN, value: 'WC100098' })).patient.externalId).to.equal(`${MRN}|WC100098`)
    expect(bodyOf(subject({ system: MRN })).patient.externalId).to.equal(`${MRN}|WC100098`)
    for (const identifier of [
      { system: MRN, value: 'WC100001' },
      { system: 'urn:x', value: 'WC100098' },
      { value: 'WC100098' },
    ])
      expect(held(subject(identifier))).to.contain('identifies another patient than the reference does')
  })

  it('has the address at home first, and none without a postal code or out of its time', () => {
    const home = { use: 'home', line: ['1 Birch', 'Apt 2'], city: 'Duluth', state: 'MN', postalCode: ' 55802 ' }
    const work = { use: 'work', line: ['9 Lake'], postalCode: '55803' }
    const addresses = (...address: object[]) => aBundle(document, { ...patient, address }, practitioner)
    const sent = bodyOf(addresses(work, home, { ...work, line: ['8 Lake'] })).patient.addresses
    expect(sent.map(({ line }) => line)).to.deep.equal(['1 Birch, Apt 2', '9 Lake', '8 Lake'])
    expect(sent[0]).to.deep.equal({ line: '1 Birch, Apt 2', city: 'Duluth', state: 'MN', postalCode: '55802' })
    expect(sent[1]).to.deep.include({ city: '', state: '' })
    const old = { ...home, use: 'old' }
    const ended = { ...work, period: { end: '2025' } }
    const noCode = { use: 'home', line: ['7 Elm'], postalCode: ' ' }
    const mixed = addresses(old, ended, noCode, work)
    expect(bodyOf(mixed).patient.addresses.map(({ line }) => line)).to.deep.equal(['9 Lake'])
    expect(warnings(mixed)).to.contain('Patient.address[2]: is not sent, because it has no postal code')
    expect(warnings(mixed)).to.not.match(/Patient\.address\[[01]\]/)
    expect(held(addresses(old, ended, noCode))).to.contain('Patient.address: has no address with a postal code')
  })

  it('has contact points by rank, without a fax, an empty one or one out of its time', () => {
    const telecom = [
      { system: 'phone', value: '1', use: 'home' },
      { system: 'phone', value: '2', rank: 2 },
      { system: 'fax', value: '3', rank: 1 },
      { system: 'email', value: 'a@b.example', rank: 1 },
      { system: 'phone', value: '' },
      { system: 'phone', value: '4', use: 'old' },
      { value: '5' },
    ]
    expect(bodyOf(aBundle(document, { ...patient, telecom }, practitioner)).patient.telecoms).to.deep.equal([
      { system: 'email', value: 'a@b.example', use: null },
      { system: 'phone', value: '2', use: null },
      { system: 'phone', value: '1', use: 'home' },
      { system: null, value: '5', use: null },
    ])
  })

  it('has the sex that the message says, and by a setting where it says other or nothing', () => {
    const sexes = (gender: unknown, map: MapFileInput = {}) =>
      read(aBundle(document, { ...patient, gender }, practitioner), map)
    expect(['male', 'female', 'unknown'].map((gender) => sexes(gender).body?.patient.sex)).to.deep.equal([
      ...['Male', 'Female', 'Unknown'],
    ])
    for (const gender of ['other', undefined]) {
      const { body, mapped } = sexes(gender, { sexOther: 'Ambiguous' })
      expect(body?.patient.sex).to.equal('Ambiguous')
      expect(mapped.ok && mapped.warnings.join()).to.contain('Patient.gender: is sent as Ambiguous, as sexOther')
    }
    for (const gender of ['Male', 'constructor', 'X'])
      expect(sexes(gender).held.join()).to.contain('Patient.gender: is not a code of FHIR R4')
  })

  it('is known by identifiers that are in use, with blanks or without, and by those alone', () => {
    const [own] = patient.identifier as Resource[]
    const ids = (...identifier: unknown[]) => aBundle(document, { ...patient, identifier }, practitioner)
    expect(bodyOf(ids({ ...own, value: ' WC100098 ' })).patient.externalId).to.equal(`${MRN}|WC100098`)
    for (const value of ['', '  ', 'UNKNOWN'])
      expect(bodyOf(ids({ ...own, value, system: 'urn:x' }, own)).patient.externalId).to.equal(`${MRN}|WC100098`)
    const bare = { value: 'WC100001', system: MRN }
    expect(bodyOf(ids(bare), { mrnAuthority: '1.2.36.146.595.217.0.1' }).patient.identifiers).to.deep.equal([
      { authority: 'mrn', value: 'WC100001' },
    ])
    const other = ids({ ...own, system: `x${MRN}` })
    expect(held(other, { mrnAuthority: 'x1.2.36.146.595.217.0.1' })).to.contain('has no id of the type MR')
  })

  /** Whether a period includes noon of January 16, 2026, in UTC, wherever on Earth the dates are meant. */
  const periods: [period: object, isInUse: boolean][] = [
    [{}, true],
    [{ start: '2026' }, true],
    [{ start: '2027' }, false],
    [{ start: '2026-01' }, true],
    [{ start: '2026-02' }, false],
    [{ start: '2026-01-16' }, true],
    [{ start: '2026-01-17' }, true],
    [{ start: '2026-01-18' }, false],
    [{ start: '2026-01-16T12:00:00Z' }, true],
    [{ start: '2026-01-16T12:00:01Z' }, false],
    [{ start: '2026-01-16T13:00:00+01:00' }, true],
    [{ end: '2025' }, false],
    [{ end: '2026' }, true],
    [{ end: '2025-12' }, false],
    [{ end: '2026-01' }, true],
    [{ end: '2026-01-15' }, true],
    [{ end: '2026-01-14' }, false],
    [{ end: '2026-01-16T12:00:00Z' }, true],
    [{ end: '2026-01-16T11:59:59Z' }, false],
    [{ start: 'soon' }, false],
    [{ end: '16.1.2026' }, false],
    [{ start: '2025', end: '2027' }, true],
    [{ start: '2027', end: '2028' }, false],
  ]
  for (const [period, isInUse] of periods)
    it(`${isInUse ? 'is' : 'is not'} known by an identifier of the period ${JSON.stringify(period)}`, () => {
      const [own] = patient.identifier as Resource[]
      const json = aBundle(document, { ...patient, identifier: [{ ...own, period }] }, practitioner)
      if (isInUse) expect(bodyOf(json).patient.externalId).to.equal(`${MRN}|WC100098`)
      else expect(held(json)).to.contain('Patient.identifier')
    })
})

describe('The document of an order in FHIR', () => {
  it('has its id without blanks around it', () => {
    const id = { masterIdentifier: { system: 'urn:lake:docs', value: ' DOC-000123\t' } }
    expect(bodyOf(usual(id)).document.externalDocId).to.equal('urn:lake:docs|DOC-000123')
  })

  const replaced = (target: object) => ({ relatesTo: [{ code: 'replaces', target }] })
  const older = {
    ...document,
    id: 'doc0',
    masterIdentifier: { system: 'urn:lake:docs', value: 'DOC-0' },
    status: 'superseded',
  }
  it('replaces a document by its reference, by its identifier, or by both if they are one', () => {
    const of = (json: unknown) => {
      const { mapped } = read(json)
      return mapped.ok && mapped.action === 'replace' ? mapped.replaces : read(json).held
    }
    const identifier = older.masterIdentifier
    expect(of(usual(replaced({ reference: 'DocumentReference/doc0' }), older))).to.deep.equal(['urn:lake:docs|DOC-0'])
    expect(of(usual(replaced({ identifier })))).to.deep.equal(['urn:lake:docs|DOC-0'])
    expect(of(usual(replaced({ reference: 'DocumentReference/gone', identifier })))).to.deep.equal([
      'urn:lake:docs|DOC-0',
    ])
    expect(of(usual(replaced({ reference: 'DocumentReference/doc0', identifier }), older))).to.deep.equal([
      'urn:lake:docs|DOC-0',
    ])
    const other = { system: 'urn:lake:docs', value: 'DOC-9' }
    expect(held(usual(replaced({ reference: 'DocumentReference/doc0', identifier: other }), older))).to.contain(
      'there are several, and their types do not say which is the id of the document that is replaced',
    )
    expect(held(usual(replaced({ reference: 'DocumentReference/gone' })))).to.contain('is not in the message')
    expect(held(usual(replaced({ display: 'the old one' })))).to.contain('has no id of the document that is replaced')
  })

  it('with the id of the one that it replaces is a new version, which withdraws nothing', () => {
    const { mapped } = read(usual(replaced({ identifier: document.masterIdentifier })))
    expect(mapped).to.deep.include({ ok: true, action: 'replace' })
    expect(mapped).to.not.have.property('replaces')
  })

  it('is of the kind of the first code that the map lists; codes of two kinds are held', () => {
    const type = (...coding: object[]) => usual({ type: { coding } })
    const documentTypes = {
      A: { documentTypeId: 1 },
      B: { documentTypeId: 2 },
      'urn:s|A': { documentTypeId: 3 },
      C: { documentTypeId: 1 },
    }
    const kind = (...coding: object[]) => bodyOf(type(...coding), { documentTypes }).document.documentTypeId
    expect(kind({ code: 'X' }, { code: 'B' })).to.equal(2)
    expect(kind({ code: 'A', system: 'urn:s' })).to.equal(3)
    expect(kind({ code: 'A', system: 'urn:t' }, { code: 'C' })).to.equal(1)
    expect(held(type({ code: 'A' }, { code: 'B' }), { documentTypes })).to.equal(
      'DocumentReference.type: the codes "A", "B" are different document types in documentTypes of the map',
    )
    expect(held(type({ code: 'X' }, { code: 'Y' }), { documentTypes })).to.contain('none of the codes "X", "Y" is in')
    expect(
      held(type(...Array.from({ length: 11 }, (_, index) => ({ code: `X${index}` }))), { documentTypes }),
    ).to.match(/"X9", … is in/)
    expect(held(type({ display: 'no code' }), { documentTypes })).to.match(/type/)
    expect(held(usual({ type: undefined }), { documentTypes })).to.equal('type: has no document type code')
  })

  it('has the one diagnosis of its request, in the spelling with the dot, and none when there are two', () => {
    const reasons = (...codes: [string, string?][]) => ({
      reasonCode: [{ coding: codes.map(([code, system = ICD]) => ({ code, system })) }],
      reasonReference: [],
    })
    const code = (...codes: [string, string?][]) => bodyOf(ordered(reasons(...codes))).document.diagnosisCode
    expect(code(['I50.9'])).to.equal('I50.9')
    for (const both of [
      [['I509'], ['I50.9']],
      [['I50.9'], ['I509']],
    ] as [string][][])
      expect(code(...both)).to.equal('I50.9')
    expect(code(['i509'], ['I50.9'])).to.equal('I50.9')
    expect(code(['42343007', 'http://snomed.info/sct'], ['I10'])).to.equal('I10')
    expect(code(['I10', ''])).to.equal(undefined)
    expect(code(['I10'], ['I50.9'])).to.equal(undefined)
    expect(warnings(ordered(reasons(['I10'], ['I50.9'])))).to.contain('is one of several diagnoses, so none is sent')
    expect(warnings(ordered(reasons(['I10'])))).to.not.contain('diagnos')
    const both = { ...reasons(['I10']), reasonReference: [{ reference: 'Condition/c1' }] }
    expect(bodyOf(ordered(both)).document.diagnosisCode).to.equal(undefined)
    const procedure = { resourceType: 'Procedure', id: 'x1', code: { coding: [{ system: ICD, code: 'I10' }] } }
    const refers = { reasonReference: [{ reference: 'Procedure/x1' }, { reference: 'Condition/c1' }] }
    expect(bodyOf(ordered(refers, procedure)).document.diagnosisCode).to.equal('I50.9')
    const nameless = { ...condition, code: undefined }
    expect(bodyOf(aBundle(request, document, patient, role, practitioner, nameless)).document.diagnosisCode).to.equal(
      undefined,
    )
  })

  it('is the first or the last PDF as the map says', () => {
    const other = Buffer.from('%PDF-1.4\nanother\n%%EOF\n').toString('base64')
    const content = { content: [PDF, other].map((data) => ({ attachment: { contentType: 'application/pdf', data } })) }
    expect(held(usual(content))).to.contain('holds 2 PDFs')
    const chosen = (pdf: 'first' | 'last') => read(usual(content), { pdf })
    expect(chosen('first').body?.document.attachment).to.equal(PDF)
    const last = chosen('last')
    expect(last.held.length > 0 || last.body?.document.attachment === other, last.held.join()).to.equal(true)
  })

  it('has the hash that it says, as Base64 or hex, with blanks or without, of SHA-1 or SHA-256', () => {
    const bytes = Buffer.from(PDF, 'base64')
    const withHash = (hash: string) =>
      usual({ content: [{ attachment: { contentType: 'application/pdf', data: PDF, hash } }] })
    for (const name of ['sha1', 'sha256']) {
      const digest = createHash(name).update(bytes).digest()
      const hex = digest.toString('hex')
      const base64 = digest.toString('base64')
      for (const hash of [hex, hex.toUpperCase(), base64, ` ${base64.slice(0, 9)} \n ${base64.slice(9)} `, ''])
        expect(held(withHash(hash)), hash).to.equal('')
    }
    for (const hash of ['x', createHash('sha1').update('x').digest('hex')])
      expect(held(withHash(hash))).to.contain('does not have the hash that it says')
  })

  it('with white space in place of data is empty', () => {
    const blank = { content: [{ attachment: { contentType: 'application/pdf', data: ' \n' } }] }
    expect(held(usual(blank))).to.contain('is declared a PDF, and is empty')
    const untyped = { content: [{ attachment: { data: PDF } }, { attachment: { title: 'nothing' } }] }
    expect(bodyOf(usual(untyped)).document.attachment).to.equal(PDF)
  })

  it('has the day of its visit; without one it is held and the day is not guessed', () => {
    for (const [context, reason] of [
      [{}, 'date: is missing'],
      [{ period: { start: '2026-01' } }, 'is not a full date'],
      [{ period: { start: '2026-02-30' } }, 'is not a full date'],
      [{ period: { start: '2026-02-30T08:00:00Z' } }, 'is not a full date'],
    ] as const)
      expect(held(usual({ context })), JSON.stringify(context)).to.contain(reason)
    expect(held(ordered({ occurrenceDateTime: undefined }))).to.contain('date: is missing')
    const begun = { occurrenceDateTime: undefined, occurrencePeriod: { start: '2026-01-13' } }
    expect(bodyOf(ordered(begun)).document.effectiveDate).to.equal('2026-01-13')
  })

  it('is found through its Task and its request alone; other information is passed over', () => {
    const supportingInfo = ['Observation/o1', 'DocumentReference/doc1'].map((reference) => ({ reference }))
    const observation = { resourceType: 'Observation', id: 'o1', status: 'final' }
    expect(bodyOf(ordered({ supportingInfo }, observation)).document.attachment).to.equal(PDF)
    for (const focus of [undefined, { reference: 'DocumentReference/gone' }, { reference: 'Patient/p1' }])
      expect(held(aBundle(task({ focus }), document, patient, practitioner))).to.contain(
        'Task.focus: does not refer to a document or request in the message',
      )
    expect(held(ordered({ code: { coding: [{ code: '52030-8' }] } }, { ...document, id: 'doc9' }))).to.contain(
      'DocumentReference: is not referenced by the order',
    )
    expect(held(usual({}, { ...request, supportingInfo: [] }))).to.contain('is not referenced by the order')
  })

  it('that is related to others by an unknown code is held, and by another one is sent with a warning', () => {
    const related = (code: unknown) => usual({ relatesTo: [{ code, target: { identifier: { value: 'X' } } }] })
    expect(held(related('supersedes'))).to.contain('relatesTo[0].code: is not a code of FHIR R4')
    expect(warnings(related('appends'))).to.contain('appends another document, which is not changed')
  })

  it('of a withdrawn order is retracted, whatever its visit says', () => {
    const visit = { resourceType: 'Encounter', id: 'e1', status: 'cancelled', subject: { reference: 'Patient/p1' } }
    const odd = { ...visit, modifierExtension: [{ url: 'urn:not', valueBoolean: true }] }
    const of = (status: string, one: Resource) =>
      read(
        usual(
          { status, context: { ...(document.context as object), encounter: [{ reference: 'Encounter/e1' }] } },
          one,
        ),
      )
    for (const one of [visit, odd]) {
      expect(of('entered-in-error', one).mapped).to.deep.include({ ok: true, action: 'retract' })
      expect(of('current', one).held.join()).to.match(/Encounter/)
    }
  })

  it('of a withdrawn order is retracted, unless a status is no code of FHIR R4', () => {
    const retracted = read(ordered({ status: 'revoked' })).mapped
    expect(retracted).to.deep.include({ ok: true, action: 'retract', externalDocId: 'urn:lake:orders|ORD-7' })
    expect(held(ordered({ status: 'revoked', intent: 'whim' }))).to.contain('intent: whim is not a code of FHIR R4')
    const odd = ordered({ status: 'x y' })
    expect(held(odd)).to.contain('another value is not a code of FHIR R4').and.not.contain('x y')
    expect(held(ordered({ status: 'x'.repeat(41) }))).to.contain('another value')
    expect(held(ordered({ status: undefined }))).to.contain('ServiceRequest.status: is missing, or is not a code')
    expect(held(ordered({ status: 'draft' }))).to.contain('status: draft; the document is not sent to be signed')
  })
})

describe('The signer of an order in FHIR', () => {
  const own = (value: unknown, change: Resource = {}) => ({
    ...practitioner,
    identifier: [{ system: 'urn:lake:staff', value, ...change }],
  })
  const signer = (who: Resource, map: MapFileInput) => read(aBundle(document, patient, who), map)

  it('is found in the table of the map, with blanks or without, by the system as URL or OID', () => {
    const map = { signers: { 'urn:lake:staff|D7': '9999900019', '1.2.3|D8': '9999900027', D9: '9999900035' } }
    expect(signer(own(' D7 '), map).body?.performers[0]?.signer.userNPI).to.equal('9999900019')
    expect(signer(own('D8', { system: 'urn:oid:1.2.3' }), map).body?.performers[0]?.signer.userNPI).to.equal(
      '9999900027',
    )
    expect(signer(own('D9', { system: undefined }), map).body?.performers[0]?.signer.userNPI).to.equal('9999900035')
    const license = { system: undefined, type: { coding: [{ code: 'MD' }] } }
    for (const who of [
      own('D9'),
      own('D9', license),
      own(undefined),
      own('', {}),
      own('D8', { system: 'xurn:oid:1.2.3' }),
    ])
      expect(signer(who, map).held.join()).to.contain('has no NPI, and no id that signers of the map lists')
  })

  it('must have one NPI, of ten digits', () => {
    const npis = (...values: string[]) => ({
      ...practitioner,
      identifier: values.map((value) => ({ system: NPI, value })),
    })
    expect(signer(npis(' 9999900019 '), {}).body?.performers[0]?.signer.userNPI).to.equal('9999900019')
    expect(signer(npis('9999900019', '9999900019'), {}).body?.performers[0]?.signer.userNPI).to.equal('9999900019')
    expect(signer(npis('9999900019', '9999900027'), {}).held.join()).to.contain(
      'has several NPIs; the signer must have one',
    )
    for (const value of ['999990001', '99999000190', 'x9999900019'])
      expect(signer(npis(value), {}).held.join()).to.contain('has no NPI')
  })

  it('is held when the reference has the NPI of another person or organization than it leads to', () => {
    const named = (reference: string, value: string) => ({ reference, identifier: { system: NPI, value } })
    const at = (change: Resource) =>
      aBundle({ ...request, ...change }, document, patient, role, practitioner, condition)
    expect(held(at({ requester: named('PractitionerRole/r1', '9999900027') }))).to.contain('identifies someone else')
    expect(held(usual({ authenticator: named('Practitioner/d1', '9999900027') }))).to.contain('identifies someone else')
    const inOther = { ...role, practitioner: named('Practitioner/d1', '9999900027') }
    expect(held(aBundle(request, document, patient, inOther, practitioner, condition))).to.contain('identifies someone')
    const lake = { resourceType: 'Organization', id: 'o1', identifier: [{ system: NPI, value: '9999901017' }] }
    const custodian = (value: string) => usual({ custodian: named('Organization/o1', value) }, lake)
    expect(held(custodian('9999901025'))).to.contain('custodian.identifier: identifies someone else')
    expect(bodyOf(custodian('9999901017')).performers[0]?.organization?.orgNPI).to.equal('9999901017')
    expect(
      bodyOf(at({ requester: named('PractitionerRole/r1', '9999900019') })).performers[0]?.signer.userNPI,
    ).to.equal('9999900019')
  })

  it('is the one author who is a person; two people are held, and so is none', () => {
    const others = { ...practitioner, id: 'd2', identifier: [{ system: NPI, value: '9999900027' }] }
    const authored = (...ids: string[]) =>
      usual({ authenticator: undefined, author: ids.map((reference) => ({ reference })) }, others, {
        ...{ resourceType: 'Organization', id: 'o1' },
      })
    const found = bodyOf(authored('Organization/o1', 'Practitioner/d2')).performers[0]
    expect(found?.signer.userNPI).to.equal('9999900027')
    expect(held(authored('Practitioner/d1', 'Practitioner/d2'))).to.equal(
      'DocumentReference.author[1]: names a different signer than DocumentReference.author[0]',
    )
    expect(held(authored('Organization/o1', 'Organization/o1'))).to.match(/^DocumentReference\.author\[0\]: /)
    expect(held(authored('Organization/o1', 'Organization/o1'))).to.not.contain('author[1]')
    expect(held(usual({ authenticator: undefined }))).to.equal('signer: does not identify a signer')
  })

  it('signs for the organization of the role; one without an NPI is held when the map lists organizations', () => {
    const at = (...identifier: Resource[]) =>
      aBundle(
        request,
        ...[document, patient, practitioner, condition, { resourceType: 'Organization', id: 'o1', identifier }],
        { ...role, organization: { reference: 'Organization/o1' } },
      )
    const org = (json: unknown, map: MapFileInput = {}) => bodyOf(json, map).performers[0]?.organization?.orgNPI
    expect(org(at({ system: NPI, value: '9999901017' }))).to.equal('9999901017')
    expect(org(at())).to.equal(undefined)
    expect(warnings(at())).to.contain('does not identify an organization')
    const map = { organizations: { 'urn:lake|L1': '9999901025' } }
    expect(org(at({ system: 'urn:lake', value: 'L1' }), map)).to.equal('9999901025')
    expect(held(at({ system: 'urn:lake', value: 'L2' }), map)).to.contain(
      'organization: has no NPI, and no id that organizations of the map lists',
    )
    expect(held(at({ system: NPI, value: '9999901017' }, { system: NPI, value: '9999901025' }))).to.contain(
      'has several NPIs; the organization must have one',
    )
    const identified = { ...role, organization: { identifier: { system: NPI, value: '9999901017' } } }
    const { mapped } = read(aBundle(request, document, patient, identified, practitioner, condition))
    expect(mapped.ok && mapped.action !== 'retract' && mapped.origins).to.deep.include({
      ...{ 'performers[0].signer.userNPI': 'ServiceRequest.requester.practitioner.resolve().identifier' },
      ...{ 'performers[0].organization.orgNPI': 'ServiceRequest.requester.organization.identifier' },
    })
  })
})

describe('References of an order in FHIR', () => {
  const placed = (base: string, resources: Resource[]) => ({
    ...{ resourceType: 'Bundle', type: 'collection' },
    entry: resources.map((resource) => ({ fullUrl: `${base}/${resource.resourceType}/${resource.id}`, resource })),
  })

  it('are read at the server of the entry, by http or https', () => {
    for (const base of ['http://ehr.example/r4', 'HTTPS://ehr.example'])
      expect(bodyOf(placed(base, [document, patient, practitioner])).patient.externalId).to.equal(`${MRN}|WC100098`)
  })

  it('with one id on two servers are two resources, by http too', () => {
    for (const scheme of ['http', 'https']) {
      const own = { fullUrl: `${scheme}://a.example/DocumentReference/doc1`, resource: document }
      const entry = (host: string) => [
        own,
        { fullUrl: `${scheme}://${host}/Patient/p1`, resource: patient },
        { fullUrl: `${scheme}://a.example/Practitioner/d1`, resource: practitioner },
      ]
      const bundle = (host: string) => ({ resourceType: 'Bundle', type: 'collection', entry: entry(host) })
      expect(bodyOf(bundle('a.example')).patient.externalId, scheme).to.equal(`${MRN}|WC100098`)
      expect(held(bundle('b.example')), scheme).to.contain('subject: refers to a resource that is not in the message')
    }
  })

  it('lead nowhere from an entry whose URL is that of another type', () => {
    const bundle = placed('https://ehr.example', [document, patient, practitioner])
    bundle.entry[0]!.fullUrl = 'https://ehr.example/Composition/doc1'
    expect(held(bundle)).to.contain('is not in the message')
  })

  it('of what was read lead to the resources of a message without URLs', async () => {
    const entry = [request, document, patient, role, practitioner].map((resource) => ({ resource }))
    const asked: string[] = []
    const { mapped } = await mapFhirAt(
      { resourceType: 'Bundle', type: 'collection', entry },
      readMapFile(MAP),
      async (reference) => {
        asked.push(reference)
        const resource = { ...condition, subject: { reference: 'Patient/p1' } }
        return { url: 'https://ehr.example/r4/Condition/c1', resource, reference } as never
      },
      AT,
    )
    expect(asked).to.deep.equal(['Condition/c1'])
    expect(mapped.ok ? mapped.action : mapped.held).to.equal('create')
  })

  it('to a contained resource lead there with or without the number sign in its id', () => {
    const contained = (id: string) => ({ ...document, contained: [{ ...patient, id }], subject: { reference: '#p' } })
    for (const id of ['p', '#p'])
      expect(bodyOf(aBundle(contained(id), practitioner)).patient.birthDate).to.equal('1952-06-07')
    expect(held(aBundle(contained('p#'), practitioner))).to.contain('is not in the message')
  })
})
