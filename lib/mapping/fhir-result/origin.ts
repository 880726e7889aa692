/**
 * The facts about an order in FHIR that its result needs: whose document it was, of which patient, and under which ids. Holds
 * no document. Pure.
 */
import * as z from 'zod'
import type { Collection } from '../fhir/collection.ts'
import { isInUse } from '../fhir/in-use.ts'
import { type Order, orderIn } from '../fhir/order.ts'
import { US_SSN } from '../fhir/patient.ts'
import { canBePdf } from '../fhir/pdf.ts'
import type { Reading } from '../fhir/reading.ts'
import { createFindings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import { isPlaceholder } from '../placeholder.ts'
import { copiedOf, withReferences } from './copied.ts'

const Element = z.record(z.string(), z.unknown())
const Reference = z.looseObject({ reference: z.string().optional(), identifier: Element.optional() })
export type OriginReference = z.infer<typeof Reference>

/**
 * Plain JSON. References are as any server understands them: relative ones are absolute where the message says on which server they
 * are, and those to the message itself name an identifier instead.
 */
export const FhirOrigin = z.object({
  /** The DocumentReference that was signed. */
  document: Reference.optional(),
  /** The Task and the ServiceRequest that asked for it. */
  orders: z.array(Reference).default([]),
  subject: Reference.optional(),
  signer: Reference.optional(),
  custodian: Reference.optional(),
  type: Element.optional(),
  period: z.object({ start: z.string().optional(), end: z.string().optional() }).optional(),
  encounter: z.array(Reference).default([]),
  /** The members that the result copies from the DocumentReference that was sent; missing when none was. */
  copied: Element.optional(),
  /** The NPI of the signer; missing when the message does not say it. */
  signerNpi: z.string().optional(),
})
export type FhirOrigin = z.infer<typeof FhirOrigin>

type Raw = Readonly<Record<string, unknown>>

/**
 * Limits on what the result repeats: values, and how deeply they are nested. The origin is carried along and kept. A document and its
 * orders have a few hundred values.
 */
const MOST_VALUES = 50_000
const MOST_LEVELS = 100

/** The reason why a message with a larger origin is held. */
export const TOO_MUCH_TO_REPEAT =
  `DocumentReference: with its Task and ServiceRequest, has more than ${MOST_VALUES.toLocaleString('en-US')} values or ${MOST_LEVELS} ` +
  'levels that its result would repeat; send them without extensions'

/** Whether the origin of a message is within the limits. */
export function canBeRepeated(collection: Collection): boolean {
  const orders = ['Task', 'ServiceRequest'].flatMap((type) => collection.ofType(type))
  const documents = collection.ofType('DocumentReference').map((document) => copiedOf(document as Raw))
  let values = 0
  const open: [value: unknown, level: number][] = [...orders, ...documents].map((value) => [value, 0])
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, level] = next
    values += 1
    if (values > MOST_VALUES || level > MOST_LEVELS) return false
    if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value)) open.push([part, level + 1])
  }
  return true
}

/** Returns what the order of the message says, with what it refers to; what it does not say is omitted. */
export function originOf({ collection, map, at }: Omit<Reading, 'findings'>): FhirOrigin {
  const order = orderIn({ collection, map, findings: createFindings(), at })
  const resources = (order?.read ?? []) as Raw[]
  const [task, request] = ['Task', 'ServiceRequest'].map((type) =>
    resources.find(({ resourceType }) => resourceType === type),
  )
  const document = order === null ? undefined : documentOf(order, map)
  const referenceOf = (given: unknown, owner: unknown) => referenceIn(given, owner, collection, at)
  const from = (owner: Raw | undefined, element: string) => referenceOf(owner?.[element], owner)
  const context = document?.context as Raw | undefined
  const asked = [
    [task, task?.owner],
    [request, request?.requester],
    [document, document?.authenticator],
    [document, [document?.author].flat()[0]],
  ].find(([, reference]) => reference !== undefined)
  const readReference = (reference: Raw) => referenceOf(reference, document) ?? displayOf(reference)
  const found = {
    document: document && nameOf(document, collection, at),
    orders: [task, request].flatMap((order) => (order ? (nameOf(order, collection, at) ?? []) : [])),
    subject: from(task, 'for') ?? from(request, 'subject') ?? from(document, 'subject'),
    signer:
      from(task, 'owner') ??
      from(request, 'requester') ??
      from(document, 'authenticator') ??
      referenceOf([document?.author].flat()[0], document),
    custodian: from(document, 'custodian'),
    type: document?.type ?? request?.code,
    period: context?.period,
    encounter: (context?.encounter ? [context.encounter] : [request?.encounter ?? []])
      .flat()
      .flatMap((one) => referenceOf(one, context?.encounter ? document : request) ?? []),
    copied: document && withReferences(copiedOf(document), readReference),
    signerNpi: asked && npiIn(asked[1], asked[0], collection),
  }
  const read = FhirOrigin.safeParse(found)
  return read.success ? read.data : { orders: [], encounter: [] }
}

/** Returns the document of an order that holds the PDF which is signed. */
function documentOf({ documents }: Order, { pdf }: MapFile): Raw | undefined {
  const withPdf = documents.filter(({ document }) => document.content.some(({ attachment }) => canBePdf(attachment)))
  return ((pdf === 'last' ? withPdf.at(-1) : withPdf[0]) ?? documents[0])?.owner as Raw | undefined
}

/** A resource of a message without an id of a server is known by its identifier alone. */
function nameOf(resource: Raw, collection: Collection, at: number): OriginReference | undefined {
  const { resourceType, id } = resource
  const url = collection.urlOf(resource)
  if (/^https?:/.test(url)) return { reference: url }
  if (typeof id === 'string' && !url.startsWith('urn:')) return { reference: `${String(resourceType)}/${id}` }
  return logical(resource, at)
}

function referenceIn(given: unknown, owner: unknown, collection: Collection, at: number): OriginReference | undefined {
  const read = Reference.safeParse(given)
  if (!read.success) return undefined
  const { reference } = read.data
  if (reference === undefined) return read.data
  if (!/^(#|urn:)/.test(reference)) return { ...read.data, reference: collection.absolute(reference, owner) }
  return (
    logical(collection.find({ reference }, owner) as Raw | undefined, at) ??
    (read.data.identifier && { identifier: read.data.identifier })
  )
}

/** Keeps the display of a reference to a resource of the message that has no identifier. */
const displayOf = ({ display }: Raw) => (typeof display === 'string' ? { display } : undefined)

const US_NPI = 'http://hl7.org/fhir/sid/us-npi'

/** Returns the NPI of a practitioner, or of the practitioner of a role. */
function npiIn(given: unknown, owner: unknown, collection: Collection): string | undefined {
  const reference = Reference.safeParse(given).data
  if (reference === undefined) return undefined
  const found = collection.find(reference as { reference?: string }, owner) as Raw | undefined
  const identifiers = [reference.identifier, found?.identifier].flat() as (Raw | undefined)[]
  const npi = identifiers.find((one) => one?.system === US_NPI)?.value
  if (typeof npi === 'string') return npi
  return found?.practitioner === undefined ? undefined : npiIn(found.practitioner, found, collection)
}

/** Returns the first identifier in use with an authority; a Social Security Number does not name a person. */
function logical(resource: Raw | undefined, at: number): OriginReference | undefined {
  const all = [resource?.masterIdentifier, resource?.identifier].flat() as (Raw | undefined)[]
  const identifier = all.find(
    (one) =>
      one !== undefined &&
      isInUse(one, at) &&
      one.system !== US_SSN &&
      typeof one.system === 'string' &&
      typeof one.value === 'string' &&
      !isPlaceholder(one.value),
  )
  return identifier && { type: resource?.resourceType, identifier }
}
