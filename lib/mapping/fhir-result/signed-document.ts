/** The DocumentReference of a signed PDF, alone or with its Binary in a transaction. Pure. */
import { createHash } from 'node:crypto'
import type { SignedFacts } from '../signed-facts.ts'
import type { FhirOrigin } from './origin.ts'
import { provenanceOf, referenceTo } from './provenance.ts'
import type { FhirResource, FhirResultHabits } from './result-to-fhir.ts'

export interface Signed {
  /** An identifier made of the content, so that the same document exists once, and two never share one. */
  identifier: { system: string; value: string }
  facts: SignedFacts
  pdf: Uint8Array
  origin: FhirOrigin
  ifNoneExist: string
}

/** Returns the DocumentReference, or a transaction Bundle whose last entry it is. */
export function signedDocument(signed: Signed, habits: FhirResultHabits): FhirResource {
  const data = Buffer.from(signed.pdf).toString('base64')
  // IHE MHD allows no data within a DocumentReference.
  const isInline = habits.content === 'inline' && habits.profile !== 'mhd'
  // The server puts the ids that it gives in the place of these.
  const url = `urn:uuid:${uuidOf(signed.identifier.value)}`
  const own = `urn:uuid:${uuidOf([...signed.identifier.value].reverse().join(''))}`
  const document = reference(signed, isInline ? { data } : { url }, habits)
  const provenance = habits.provenance ? provenanceOf(signed, own) : null
  if (isInline && provenance === null) return document
  const binary = { resourceType: 'Binary', contentType: 'application/pdf', data }
  return {
    resourceType: 'Bundle',
    type: 'transaction',
    entry: [
      ...(isInline ? [] : [{ fullUrl: url, resource: binary, request: { method: 'POST', url: 'Binary' } }]),
      ...(provenance ? [{ resource: provenance, request: { method: 'POST', url: 'Provenance' } }] : []),
      {
        ...(provenance && { fullUrl: own }),
        resource: document,
        request: { method: 'POST', url: 'DocumentReference', ifNoneExist: signed.ifNoneExist },
      },
    ],
  }
}

const CLINICAL_NOTE = {
  coding: [
    {
      system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category',
      code: 'clinical-note',
    },
  ],
}

const LOINC = 'http://loinc.org'
const UNKNOWN_TYPE = { system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor', code: 'UNK' }

/** US Core takes a type of LOINC, or UNK; codes of the sender stay alongside it. */
function withLoinc(type: Record<string, unknown>): Record<string, unknown> {
  const coding = [type.coding ?? []].flat() as Record<string, unknown>[]
  return coding.some(({ system }) => system === LOINC) ? type : { ...type, coding: [...coding, UNKNOWN_TYPE] }
}

function reference(signed: Signed, file: { data: string } | { url: string }, habits: FhirResultHabits): FhirResource {
  const { identifier, facts, pdf, origin } = signed
  const { document, orders, subject, custodian, type, copied = {} } = origin
  const { content, context, ...others } = copied
  const [sent = {}] = (content ?? []) as Record<string, unknown>[]
  const date = facts.at?.toISOString()
  const authenticator = referenceTo(facts.signer, origin)
  return {
    ...others,
    resourceType: 'DocumentReference',
    masterIdentifier: { ...(habits.profile === 'mhd' && { use: 'usual' }), ...identifier },
    identifier: [identifier],
    status: 'current',
    ...(habits.profile !== 'mhd' && { docStatus: 'final' }),
    ...(type && { type: habits.profile === 'us-core' ? withLoinc(type) : type }),
    ...(habits.profile === 'us-core' && !others.category && { category: [CLINICAL_NOTE] }),
    subject,
    ...(date && { date }),
    ...(authenticator && { authenticator }),
    ...(custodian && { custodian }),
    // Not `signs`, which is a signature apart from its document.
    ...(document && { relatesTo: [{ code: 'replaces', target: document }] }),
    content: [
      {
        ...sent,
        attachment: {
          ...(sent.attachment as object | undefined),
          contentType: 'application/pdf',
          ...file,
          ...factsOf(pdf),
          ...(date && { creation: date }),
        },
      },
    ],
    ...contextOf(origin, (context ?? {}) as Record<string, unknown>, orders, habits),
  }
}

/** R4 wants the SHA-1, as Base64. */
const factsOf = (pdf: Uint8Array) => ({ size: pdf.length, hash: createHash('sha1').update(pdf).digest('base64') })

function contextOf(
  { period, encounter }: FhirOrigin,
  copied: Record<string, unknown>,
  orders: FhirOrigin['orders'],
  { dayWithTime }: FhirResultHabits,
) {
  const time = (text: string | undefined) =>
    dayWithTime && text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T12:00:00Z` : text
  const [start, end] = [time(period?.start), time(period?.end)]
  const related = [...([copied.related ?? []].flat() as object[]), ...orders]
  const context = {
    ...copied,
    ...(encounter.length > 0 && { encounter }),
    ...((start ?? end) !== undefined && {
      period: { ...(copied.period as object | undefined), ...(start && { start }), ...(end && { end }) },
    }),
    ...(related.length > 0 && { related }),
  }
  return Object.keys(context).length > 0 ? { context } : {}
}

/** The first 32 digits of a digest, as a UUID is written. */
const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
