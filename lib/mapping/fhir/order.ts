/** Reads a Task, a ServiceRequest or a DocumentReference as an order. Pure. */
import type { Findings, Placed } from '../findings.ts'
import { parsed } from './collection.ts'
import { isInUse } from './in-use.ts'
import type { Reading } from './reading.ts'
import {
  type CodeableConcept,
  DocumentReference,
  type Identifier,
  type Reference,
  ServiceRequest,
  Task,
} from './resources.ts'
import { holdOtherPatient, holdOtherSource, holdOtherVisits } from './same-patient.ts'
import { SIGNED_SYSTEM } from './signed-system.ts'
import type { Named } from './signer.ts'
import { holdStanding, standingOf } from './standing.ts'

/** A member that is undefined or empty is not in the message. */
export interface Order {
  /** Whether it takes back what was ordered under its id. */
  isWithdrawn: boolean
  patient: Named | undefined
  /** All that are named for the role; they are one person, or the message is held. */
  signers: readonly Named[]
  organization: Named | undefined
  date: Placed<string> | undefined
  ids: readonly Placed<Identifier>[]
  type: Placed<CodeableConcept> | undefined
  reasons: readonly Placed<CodeableConcept>[]
  reasonReferences: readonly Named[]
  /** The documents that hold PDFs. */
  documents: readonly { place: string; document: DocumentReference; owner: unknown }[]
  /** The documents that the order replaces. */
  replaced: readonly Named[]
  /** The resources that it was read from, as they came. */
  read: readonly unknown[]
}

/** Returns null, and holds the message, when it orders nothing, or several things. */
export function orderIn(reading: Reading): Order | null {
  const { collection, findings } = reading
  collection.holdEnvelope(findings)
  for (const [type, read] of Object.entries(readers)) {
    const all = collection.ofType(type)
    const replaced = new Set(all.flatMap((one) => replacedIn(one).map((reference) => collection.find(reference, one))))
    const current = all.filter((one) => !replaced.has(one))
    const found = current.length > 0 ? current : all
    if (found.length > 1) findings.hold(type, `there are ${found.length}, but a message may contain only one`)
    if (found.length > 1) return null
    if (found.length === 1) {
      const order = read(found[0], reading)
      if (order !== null && !order.isWithdrawn) holdOthers(order, reading)
      return order
    }
  }
  findings.hold('resourceType', `none of ${Object.keys(readers).join(', ')}`)
  return null
}

/** Returns the references of a resource, as it came, to what it replaces. */
function replacedIn(resource: unknown): Reference[] {
  const read = Replacing.safeParse(resource)
  if (!read.success) return []
  const targets = read.data.relatesTo.flatMap(({ code, target }) => (code === 'replaces' ? [target] : []))
  return [...read.data.replaces, ...targets]
}

const Replacing = DocumentReference.pick({ relatesTo: true }).extend({ replaces: ServiceRequest.shape.replaces })

/** Holds the message when it has a request or a document that the order does not refer to: it would be lost silently. */
function holdOthers(order: Order, { collection, findings }: Reading): void {
  const replaced = order.replaced.map(({ reference, owner }) => collection.find(reference, owner))
  const known = new Set<unknown>([...order.read, ...replaced])
  for (const type of ['ServiceRequest', 'DocumentReference'])
    if (collection.ofType(type).some((resource) => !known.has(resource)))
      findings.hold(type, 'is not referenced by the order; send it in a separate message')
}

/** The order of precedence: a Task asks for what it refers to, and a ServiceRequest refers to its document. */
const readers: Readonly<Record<string, (resource: unknown, reading: Reading) => Order | null>> = {
  Task: readTask,
  ServiceRequest: readRequest,
  DocumentReference: readDocument,
}

function readDocument(owner: unknown, reading: Reading, isTaken = false): Order | null {
  const { collection, findings } = reading
  const document = parsed(owner, 'DocumentReference', DocumentReference, findings)
  if (document === null) return null
  const at = 'DocumentReference'
  const { masterIdentifier, identifier, type, subject, author, authenticator, custodian, relatesTo } = document
  const start = document.context?.period?.start
  // A search for new documents also finds those that were written there.
  if ([masterIdentifier, ...identifier].some((one) => one?.system === SIGNED_SYSTEM))
    findings.hold(`${at}.identifier`, 'is the identifier of a result: the document is already signed')
  const patient = named(`${at}.subject`, subject, owner)
  const withdrawn = isWithdrawn(owner, findings, isTaken)
  holdOthersOf(document, patient, at, owner, reading, withdrawn)
  const authors = author.map((reference, index): Named => ({ place: `${at}.author[${index}]`, reference, owner }))
  const others = ['Organization', 'Device', 'Patient', 'RelatedPerson']
  const people = authors.filter(({ reference }) => !others.some((type) => collection.has(reference, type, owner)))
  return {
    isWithdrawn: withdrawn,
    patient,
    signers: authenticator
      ? [{ place: `${at}.authenticator`, reference: authenticator, owner }]
      : people.length > 0
        ? people
        : authors.slice(0, 1),
    organization: named(`${at}.custodian`, custodian, owner),
    date: start === undefined ? undefined : { place: `${at}.context.period.start`, value: start },
    ids: masterIdentifier
      ? [{ place: `${at}.masterIdentifier`, value: masterIdentifier }]
      : placed(`${at}.identifier`, identifier),
    type: type && { place: `${at}.type`, value: type },
    reasons: [],
    reasonReferences: [],
    documents: [{ place: at, document, owner }],
    replaced: replacedBy(relatesTo, at, owner, findings),
    read: [owner],
  }
}

/** Holds the message when the context of a document is that of another patient. */
function holdOthersOf(
  { context }: DocumentReference,
  patient: Named | undefined,
  place: string,
  owner: unknown,
  reading: Reading,
  isWithdrawn = false,
): void {
  const at = `${place}.context`
  holdOtherSource(reading, patient, named(`${at}.sourcePatientInfo`, context?.sourcePatientInfo, owner))
  holdOtherVisits(reading, patient, references(`${at}.encounter`, context?.encounter ?? [], owner), isWithdrawn)
}

/**
 * The effect of each relation between documents. A document that signs another one is a signature; there is nothing to sign in
 * it.
 */
const RELATIONS: Readonly<Record<string, 'replace' | 'send' | 'hold'>> = {
  replaces: 'replace',
  transforms: 'send',
  appends: 'send',
  signs: 'hold',
}

function replacedBy(relatesTo: DocumentReference['relatesTo'], at: string, owner: unknown, findings: Findings) {
  return relatesTo.flatMap(({ code = '', target }, index): Named[] => {
    const place = `${at}.relatesTo[${index}]`
    const meaning = Object.hasOwn(RELATIONS, code) ? RELATIONS[code] : undefined
    if (meaning === undefined) findings.hold(`${place}.code`, 'is not a code of FHIR R4')
    else if (meaning === 'hold')
      findings.hold(`${place}.code`, 'is not supported: the document is a signature of another one')
    else if (meaning === 'send') findings.warn(place, `${code} another document, which is not changed`)
    return meaning === 'replace' ? [{ place: `${place}.target`, reference: target, owner }] : []
  })
}

function readRequest(owner: unknown, reading: Reading, isTaken = false): Order | null {
  const { collection, findings } = reading
  const request = parsed(owner, 'ServiceRequest', ServiceRequest, findings)
  if (request === null) return null
  const at = 'ServiceRequest'
  const withdrawn = isWithdrawn(owner, findings, isTaken)
  const referred = (withdrawn ? [] : request.supportingInfo).flatMap((reference, index) => {
    if (!collection.has(reference, 'DocumentReference', owner)) return []
    const place = `${at}.supportingInfo[${index}]`
    const document = collection.resolve(reference, place, DocumentReference, owner, findings)
    return document === null ? [] : [{ place, document, owner: collection.find(reference, owner) }]
  })
  const patient = named(`${at}.subject`, request.subject, owner)
  for (const { place, document, owner } of referred) {
    holdOtherPatient(reading, patient, named(`${place}.subject`, document.subject, owner))
    holdOthersOf(document, patient, place, owner, reading)
    for (const standing of standingOf(owner)) holdStanding(standing, findings)
  }
  const visit = named(`${at}.encounter`, request.encounter, owner)
  holdOtherVisits(reading, patient, visit === undefined ? [] : [visit], withdrawn)
  const date = request.occurrenceDateTime ?? request.occurrencePeriod?.start
  return {
    isWithdrawn: withdrawn,
    patient,
    signers: request.requester ? [{ place: `${at}.requester`, reference: request.requester, owner }] : [],
    organization: undefined,
    date: date === undefined ? undefined : { place: `${at}.occurrence`, value: date },
    ids: placed(`${at}.identifier`, request.identifier),
    type: request.code && { place: `${at}.code`, value: request.code },
    reasons: placed(`${at}.reasonCode`, request.reasonCode),
    reasonReferences: references(`${at}.reasonReference`, request.reasonReference, owner),
    documents: referred,
    replaced: [
      ...references(`${at}.replaces`, request.replaces, owner),
      ...referred.flatMap(({ place, document, owner }) => replacedBy(document.relatesTo, place, owner, findings)),
    ],
    read: [owner, ...referred.map(({ owner }) => owner)],
  }
}

function readTask(owner: unknown, reading: Reading): Order | null {
  const { findings } = reading
  const task = parsed(owner, 'Task', Task, findings)
  if (task === null) return null
  const withdrawn = isWithdrawn(owner, findings)
  const { period } = task.restriction ?? {}
  if (!withdrawn && !isInUse({ period }, reading.at))
    findings.hold('Task.restriction.period', 'is over, or has not begun')
  const wanted = focusOf(task.focus, owner, reading, withdrawn)
  const patient = named('Task.for', task.for, owner)
  holdOtherPatient(reading, patient, wanted?.patient)
  return (
    wanted && {
      ...wanted,
      isWithdrawn: wanted.isWithdrawn,
      patient: patient ?? wanted.patient,
      signers: task.owner ? [{ place: 'Task.owner', reference: task.owner, owner }] : wanted.signers,
      read: [owner, ...wanted.read],
    }
  )
}

/**
 * Whether a status takes the order back, or that of a Task has done so. Otherwise holds the message for every status that does not let
 * it be sent. A code that FHIR R4 lacks holds it in any case.
 */
function isWithdrawn(resource: unknown, findings: Findings, isTaken = false): boolean {
  const all = standingOf(resource)
  const withdrawn = isTaken || all.some(({ use }) => use === 'retract')
  for (const standing of all) if (standing.use === undefined || !withdrawn) holdStanding(standing, findings)
  return withdrawn
}

function focusOf(focus: Reference | undefined, owner: unknown, reading: Reading, isTaken: boolean): Order | null {
  const { collection, findings } = reading
  for (const [type, schema, read] of [
    ['ServiceRequest', ServiceRequest, readRequest],
    ['DocumentReference', DocumentReference, readDocument],
  ] as const)
    if (focus && collection.has(focus, type, owner))
      return collection.resolve<unknown>(focus, 'Task.focus', schema, owner, findings) === null
        ? null
        : read(collection.find(focus, owner), reading, isTaken)
  findings.hold('Task.focus', 'does not refer to a document or request in the message')
  return null
}

const placed = <T>(place: string, values: readonly T[]): Placed<T>[] =>
  values.map((value, index) => ({ place: `${place}[${index}]`, value }))

const references = (place: string, all: readonly Reference[], owner: unknown): Named[] =>
  all.map((reference, index) => ({ place: `${place}[${index}]`, reference, owner }))

const named = (place: string, reference: Reference | undefined, owner: unknown): Named | undefined =>
  reference && { place, reference, owner }
