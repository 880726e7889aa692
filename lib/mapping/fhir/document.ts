/** Maps the document of an order in FHIR: its type, its clinical date, the sender's id, the diagnosis and the PDF. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import type { TaskDocument } from '../../contract/task/document.ts'
import { annotationsOf } from '../annotations.ts'
import type { Placed } from '../findings.ts'
import { isPlaceholder } from '../placeholder.ts'
import { dayOf } from './day.ts'
import { hasAssignerAlone, isInUse } from './in-use.ts'
import type { Order } from './order.ts'
import { pdfOf } from './pdf.ts'
import type { Reading } from './reading.ts'
import {
  type CodeableConcept,
  Condition,
  DocumentReference,
  type Identifier,
  type Reference,
  ServiceRequest,
} from './resources.ts'
import { holdOtherPatient } from './same-patient.ts'
import type { Named } from './signer.ts'
import { standingOf } from './standing.ts'

export function documentFacts(order: Order, reading: Reading): TaskDocument {
  const { map, findings } = reading
  const known = kindOf(order, reading)
  if (order.date === undefined) findings.hold('date', 'is missing; the date of the message is not used in its place')
  const diagnosisCode = diagnosis(order, reading)
  return {
    attachment: pdfOf(order, reading),
    documentTypeId: known?.documentTypeId ?? 0,
    effectiveDate: order.date === undefined ? '' : dayOf('document.effectiveDate', order.date, reading),
    externalDocId: externalDocId(order, reading),
    annotations: annotationsOf(known, map, findings),
    ...(diagnosisCode !== undefined && { diagnosisCode }),
  }
}

/** Returns the sender's id of the document, `system|value`. */
export function externalDocId({ ids }: Order, { findings, at }: Reading): string {
  const { chosen, reason } = chosenId(ids, at)
  if (chosen === undefined) findings.hold('identifier', reason)
  else findings.from('document.externalDocId', chosen.place)
  return chosen === undefined ? '' : qualified(chosen.value)
}

/**
 * Returns the other ids of the same document, such as the filler's number alongside that of the placer. The document of a request has an
 * id of its own, under which it may be withdrawn.
 */
export function aliasesOf({ ids, documents }: Order, { at }: Reading): string[] {
  const { chosen, candidates } = chosenId(ids, at)
  const ofDocuments = documents.flatMap(({ place, document }) => {
    const { chosen: own } = chosenId(placedIds(place, document), at)
    return own === undefined ? [] : [own]
  })
  const all = [...candidates, ...ofDocuments].map(({ value }) => qualified(value))
  return [...new Set(all)].filter((id) => chosen !== undefined && id !== qualified(chosen.value))
}

/** Returns the identifiers by which a document or a request is known: the master identifier alone, where it has one. */
const placedIds = (place: string, { masterIdentifier, identifier }: Identified): Order['ids'] =>
  (masterIdentifier ? [masterIdentifier] : identifier).map((value) => ({ place, value }))

/** Returns the ids of what the order replaces. What is not there has an id that is unknown here. */
export function replacedIds(order: Order, reading: Reading): string[] {
  const { collection, findings, at } = reading
  return order.replaced.flatMap(({ place, reference, owner }) => {
    const ids = reference.identifier ? [{ place, value: reference.identifier }] : []
    if (reference.reference !== undefined) {
      const type = ['DocumentReference', 'ServiceRequest'].find((one) => collection.has(reference, one, owner))
      const schema: z.ZodType<Identified> = type === 'ServiceRequest' ? ServiceRequest : DocumentReference
      const found =
        type === undefined && ids.length > 0 ? null : collection.resolve(reference, place, schema, owner, findings)
      if (found !== null) {
        ids.unshift(...placedIds(place, found))
        const subject = {
          place: `${place}.subject`,
          reference: found.subject,
          owner: collection.find(reference, owner),
        }
        if (isNamed(subject)) holdOtherPatient(reading, order.patient, subject)
      }
    }
    const { chosen, reason } = chosenId(ids, at)
    if (chosen === undefined) findings.hold(place, `${reason} that is replaced`)
    return chosen === undefined ? [] : [qualified(chosen.value)]
  })
}

interface Identified {
  masterIdentifier?: Identifier | undefined
  identifier: Identifier[]
  subject?: Reference | undefined
}

const isNamed = (one: Omit<Named, 'reference'> & { reference: Reference | undefined }): one is Named =>
  one.reference !== undefined

/** Types of table 0203 in the order in which they count as ids of an order; the last represents identifiers without a type. */
const ID_TYPES = ['PLAC', 'FILL', 'ACSN', 'RI', '']
const OF_TABLE_0203 = /\/v2[-/]0203$/
/** Numbers of visits, accounts and people, whichever system their code is of; senders also write the code as the text. */
const OF_OTHERS = /^(?:VN|AN|ANON|ANC|AND|ANT|MR|MRN|PI|PT|PN|SS|SSN|NPI|GI|OI|U|FIN|FIN NBR|CSN|HAR|EMPI)$/
const IN_WORDS = /visit|account|encounter|admission|financial|billing|insurance|patient|medical record|social security/i

/** Chooses by type, never by position: two ids of one rank are two documents, unless they are equal. */
function chosenId(ids: Order['ids'], at: number) {
  const candidates = ids.filter(
    ({ value }) =>
      isInUse(value, at) && !isPlaceholder(value.value ?? '') && !hasAssignerAlone(value) && rankOf(value) >= 0,
  )
  const best = Math.min(...candidates.map(({ value }) => rankOf(value)))
  const first = candidates.filter(({ value }) => rankOf(value) === best)
  const [chosen] = first
  if (chosen === undefined) return { candidates, reason: 'has no id of the document' }
  const isOne = first.every(({ value }) => qualified(value) === qualified(chosen.value))
  return isOne
    ? { candidates, chosen, reason: '' }
    : { candidates, reason: 'there are several, and their types do not say which is the id of the document' }
}

/** Returns -1 for what is an id of something else. */
function rankOf({ type }: Identifier): number {
  const codings = type?.coding.filter(({ code }) => code) ?? []
  const codes = codings.map(({ code = '' }) => code.toUpperCase())
  const text = type?.text?.trim() ?? ''
  if ([...codes, text.toUpperCase()].some((code) => OF_OTHERS.test(code)) || IN_WORDS.test(text)) return -1
  const known = ID_TYPES.findIndex((one) => one !== '' && codes.includes(one))
  if (known >= 0) return known
  return codings.some(({ system = '' }) => OF_TABLE_0203.test(system)) ? -1 : ID_TYPES.length - 1
}

const qualified = ({ system, value = '' }: Identifier): string =>
  `${system === undefined ? '' : `${system}|`}${value.trim()}`

/** Returns the kind by `system|code`, or by the code alone. Codings that the map has as different kinds are held. */
function kindOf({ type }: Order, { map: { documentTypes }, findings }: Reading) {
  const codings = type?.value.coding ?? []
  const listed = codings.flatMap(({ system = '', code = '' }) => {
    const key = [`${system}|${code}`, code].find((one) => Object.hasOwn(documentTypes, one))
    return key === undefined ? [] : [{ key, kind: documentTypes[key] }]
  })
  const [first, ...others] = listed
  if (type !== undefined && first !== undefined) {
    const other = others.find(({ kind }) => !isDeepStrictEqual(kind, first.kind))
    if (other !== undefined)
      findings.hold(
        type.place,
        `the codes ${quoted([first.key, other.key])} are different document types in documentTypes of the map`,
      )
    findings.from('document.documentTypeId', `${type.place}, by the table documentTypes`)
    return first.kind
  }
  const codes = quoted(codings.map(({ code }) => code))
  if (type === undefined || codes === '') findings.hold(type?.place ?? 'type', 'has no document type code')
  else findings.hold(type.place, `none of the codes ${codes} is in documentTypes of the map`)
  return undefined
}

/** A hostile message has more codes than a person reads. */
const MOST_QUOTED = 10

function quoted(codes: readonly (string | undefined)[]): string {
  const shown = codes.slice(0, MOST_QUOTED).map((code) => JSON.stringify(code))
  return [...shown, ...(codes.length > MOST_QUOTED ? ['…'] : [])].join(', ')
}

const ICD_10 = ['http://hl7.org/fhir/sid/icd-10-cm', 'http://hl7.org/fhir/sid/icd-10', 'urn:oid:2.16.840.1.113883.6.90']

function diagnosis({ patient, reasons, reasonReferences }: Order, reading: Reading): string | undefined {
  const { collection, findings } = reading
  const referred = reasonReferences.flatMap(({ place, reference, owner }): Placed<CodeableConcept>[] => {
    if (!collection.has(reference, 'Condition', owner)) return []
    const standing = standingOf(collection.find(reference, owner)).filter(({ use }) => use === 'ignore')
    for (const { place: element, code } of standing)
      findings.warn(place, `${element} is ${code}, so the diagnosis is not sent`)
    if (standing.length > 0) return []
    const condition = collection.resolve(reference, place, Condition, owner, findings)
    const subject = {
      place: `${place}.subject`,
      reference: condition?.subject,
      owner: collection.find(reference, owner),
    }
    if (isNamed(subject)) holdOtherPatient(reading, patient, subject)
    return condition?.code ? [{ place: `${place}.resolve().code`, value: condition.code }] : []
  })
  const codings = [...reasons, ...referred].flatMap(({ place, value }) =>
    value.coding.map((coding) => ({ place, coding })),
  )
  const known = codings.flatMap(({ place, coding: { system = '', code } }) =>
    code !== undefined && ICD_10.includes(system) ? [{ place, code }] : [],
  )
  // Of two spellings of one code, that with the dot.
  const [first] = known.toSorted((a, b) => (a.code < b.code ? -1 : 1))
  // The order of reasons means nothing in FHIR, and the interface takes one diagnosis.
  const other = known.find(({ code }) => plain(code) !== plain(first?.code ?? ''))
  if (other !== undefined) findings.warn(other.place, 'is one of several diagnoses, so none is sent')
  else if (first !== undefined) findings.from('document.diagnosisCode', first.place)
  return other === undefined ? first?.code : undefined
}

const plain = (code: string): string => code.replace('.', '').toUpperCase()
