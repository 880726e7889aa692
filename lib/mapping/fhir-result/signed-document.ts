/** The DocumentReference of a signed PDF, alone or with its Binary in a transaction. Pure. */
import { createHash } from 'node:crypto'
import type { FhirOrigin } from './origin.ts'
import type { FhirResource, FhirResultHabits } from './result-to-fhir.ts'

interface Signed {
  /** By the content, so that the same document is there once, and two never share one. */
  identifier: { system: string; value: string }
  /** With the time, in UTC. */
  date: string
  pdf: Uint8Array
  origin: FhirOrigin
  ifNoneExist: string
}

export function signedDocument(signed: Signed, habits: FhirResultHabits): FhirResource {
  const data = Buffer.from(signed.pdf).toString('base64')
  if (habits.content === 'inline') return reference(signed, { data }, habits)
  // The server puts the id that it gives the Binary in the place of this one.
  const url = `urn:uuid:${uuidOf(signed.identifier.value)}`
  const binary = { resourceType: 'Binary', contentType: 'application/pdf', data }
  return {
    resourceType: 'Bundle',
    type: 'transaction',
    entry: [
      { fullUrl: url, resource: binary, request: { method: 'POST', url: 'Binary' } },
      {
        resource: reference(signed, { url }, habits),
        request: { method: 'POST', url: 'DocumentReference', ifNoneExist: signed.ifNoneExist },
      },
    ],
  }
}

function reference(
  signed: Signed,
  content: { data: string } | { url: string },
  habits: FhirResultHabits,
): FhirResource {
  const { identifier, date, pdf, origin } = signed
  const { document, orders, subject, signer, custodian, type } = origin
  return {
    resourceType: 'DocumentReference',
    masterIdentifier: identifier,
    identifier: [identifier],
    status: 'current',
    docStatus: 'final',
    ...(type && { type }),
    subject,
    date,
    ...(signer && { author: [signer], authenticator: signer }),
    ...(custodian && { custodian }),
    // Not `signs`, which is a signature apart from its document.
    ...(document && { relatesTo: [{ code: 'replaces', target: document }] }),
    content: [{ attachment: { contentType: 'application/pdf', ...content, ...factsOf(pdf), creation: date } }],
    ...contextOf(origin, orders, habits),
  }
}

/** R4 wants the SHA-1, as Base64. */
const factsOf = (pdf: Uint8Array) => ({ size: pdf.length, hash: createHash('sha1').update(pdf).digest('base64') })

function contextOf({ period, encounter }: FhirOrigin, orders: FhirOrigin['orders'], { dayWithTime }: FhirResultHabits) {
  const time = (text: string | undefined) =>
    dayWithTime && text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T12:00:00Z` : text
  const [start, end] = [time(period?.start), time(period?.end)]
  const context = {
    ...(encounter.length > 0 && { encounter }),
    ...((start ?? end) !== undefined && { period: { ...(start && { start }), ...(end && { end }) } }),
    ...(orders.length > 0 && { related: orders }),
  }
  return Object.keys(context).length > 0 ? { context } : {}
}

/** The first 32 digits of a digest, as a UUID is written. */
const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
