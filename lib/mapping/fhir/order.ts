/** What a message in FHIR orders: a Task, a ServiceRequest or a DocumentReference, read as one thing. Pure. */
import type { Placed } from '../findings.ts'
import { parsed } from './collection.ts'
import type { Reading } from './reading.ts'
import {
  type CodeableConcept,
  DocumentReference,
  type Identifier,
  type Reference,
  ServiceRequest,
  Task,
} from './resources.ts'
import { holdOtherPatient } from './same-patient.ts'
import { SIGNED_SYSTEM } from './signed-system.ts'
import type { Named } from './signer.ts'

/** What is undefined or empty is not in the message. */
export interface Order {
  /** Whether it takes back what was ordered under its id. */
  isWithdrawn: boolean
  patient: Named | undefined
  signer: Named | undefined
  organization: Named | undefined
  date: Placed<string> | undefined
  ids: readonly Placed<Identifier>[]
  type: Placed<CodeableConcept> | undefined
  reasons: readonly Placed<CodeableConcept>[]
  reasonReferences: readonly Named[]
  /** The documents that hold PDFs. */
  documents: readonly { place: string; document: DocumentReference; owner: unknown }[]
}

/** Returns null, and holds the message, when it orders nothing, or several things. */
export function orderIn(reading: Reading): Order | null {
  for (const [type, read] of Object.entries(readers)) {
    const found = reading.collection.ofType(type)
    if (found.length > 1) reading.findings.hold(type, `there are ${found.length}, and a message orders one`)
    if (found.length === 1) return read(found[0], reading)
    if (found.length > 1) return null
  }
  reading.findings.hold('resourceType', `none of ${Object.keys(readers).join(', ')}`)
  return null
}

/** The order of precedence: a Task asks for what it refers to, and a ServiceRequest refers to its document. */
const readers: Readonly<Record<string, (resource: unknown, reading: Reading) => Order | null>> = {
  Task: readTask,
  ServiceRequest: readRequest,
  DocumentReference: readDocument,
}

function readDocument(owner: unknown, { findings }: Reading): Order | null {
  const document = parsed(owner, 'DocumentReference', DocumentReference, findings)
  if (document === null) return null
  const at = 'DocumentReference'
  const { status, docStatus, masterIdentifier, identifier, type, subject, author, authenticator, custodian } = document
  const start = document.context?.period?.start
  // Whoever asks a server for new documents also gets those that were written there.
  if ([masterIdentifier, ...identifier].some((one) => one?.system === SIGNED_SYSTEM))
    findings.hold(`${at}.identifier`, 'is the result of an order: the document is signed already')
  return {
    isWithdrawn: status === 'entered-in-error' || docStatus === 'entered-in-error',
    patient: named(`${at}.subject`, subject, owner),
    signer: named(`${at}.authenticator`, authenticator, owner) ?? named(`${at}.author[0]`, author[0], owner),
    organization: named(`${at}.custodian`, custodian, owner),
    date: start === undefined ? undefined : { place: `${at}.context.period.start`, value: start },
    ids: masterIdentifier
      ? [{ place: `${at}.masterIdentifier`, value: masterIdentifier }]
      : placed(`${at}.identifier`, identifier),
    type: type && { place: `${at}.type`, value: type },
    reasons: [],
    reasonReferences: [],
    documents: [{ place: at, document, owner }],
  }
}

function readRequest(owner: unknown, reading: Reading): Order | null {
  const { collection, findings } = reading
  const request = parsed(owner, 'ServiceRequest', ServiceRequest, findings)
  if (request === null) return null
  const at = 'ServiceRequest'
  const referred = request.supportingInfo.flatMap((reference, index) => {
    if (!collection.has(reference, 'DocumentReference', owner)) return []
    const place = `${at}.supportingInfo[${index}]`
    const document = collection.resolve(reference, place, DocumentReference, owner, findings)
    return document === null ? [] : [{ place, document, owner }]
  })
  const patient = named(`${at}.subject`, request.subject, owner)
  for (const { place, document } of referred)
    holdOtherPatient(reading, patient, named(`${place}.subject`, document.subject, owner))
  const date = request.occurrenceDateTime ?? request.occurrencePeriod?.start
  return {
    isWithdrawn: request.status === 'revoked' || request.status === 'entered-in-error',
    patient,
    signer: named(`${at}.requester`, request.requester, owner),
    organization: undefined,
    date: date === undefined ? undefined : { place: `${at}.occurrence`, value: date },
    ids: placed(`${at}.identifier`, request.identifier),
    type: request.code && { place: `${at}.code`, value: request.code },
    reasons: placed(`${at}.reasonCode`, request.reasonCode),
    reasonReferences: request.reasonReference.map((reference, index) => ({
      place: `${at}.reasonReference[${index}]`,
      reference,
      owner,
    })),
    documents: referred,
  }
}

function readTask(owner: unknown, reading: Reading): Order | null {
  const task = parsed(owner, 'Task', Task, reading.findings)
  if (task === null) return null
  const wanted = focusOf(task.focus, owner, reading)
  const patient = named('Task.for', task.for, owner)
  holdOtherPatient(reading, patient, wanted?.patient)
  return (
    wanted && {
      ...wanted,
      isWithdrawn: wanted.isWithdrawn || task.status === 'cancelled' || task.status === 'entered-in-error',
      patient: patient ?? wanted.patient,
      signer: named('Task.owner', task.owner, owner) ?? wanted.signer,
    }
  )
}

function focusOf(focus: Reference | undefined, owner: unknown, reading: Reading): Order | null {
  const { collection, findings } = reading
  if (focus && collection.has(focus, 'ServiceRequest', owner))
    return readRequest(collection.find(focus, owner), reading)
  if (focus && collection.has(focus, 'DocumentReference', owner))
    return readDocument(collection.find(focus, owner), reading)
  findings.hold('Task.focus', 'refers to no document and no request of the message')
  return null
}

const placed = <T>(place: string, values: readonly T[]): Placed<T>[] =>
  values.map((value, index) => ({ place: `${place}[${index}]`, value }))

const named = (place: string, reference: Reference | undefined, owner: unknown): Named | undefined =>
  reference && { place, reference, owner }
