/**
 * Makes of a message in FHIR R4 what the interface asks for: of a DocumentReference, a ServiceRequest, a Task, or a Bundle with one of
 * them. What is there and cannot be used holds the message, with a reason; nothing is guessed, and nothing fetched. Pure.
 */
import { describeIssues } from '../contract/error.ts'
import { CreateTask } from '../contract/task/task.ts'
import { type StrictJson, strictJson } from '../json-text.ts'
import { isAccepted } from './accepted.ts'
import { type Collection, collectionOf } from './fhir/collection.ts'
import { aliasesOf, documentFacts, externalDocId, replacedIds } from './fhir/document.ts'
import { type Order, orderIn } from './fhir/order.ts'
import { patientFacts } from './fhir/patient.ts'
import type { Reading } from './fhir/reading.ts'
import { Patient } from './fhir/resources.ts'
import { holdMerged, holdOtherIdentifier } from './fhir/same-patient.ts'
import { organizationNpi, signerOf } from './fhir/signer.ts'
import { createFindings } from './findings.ts'
import { type MapFile, type MapFileInput, readMapFile } from './map-file.ts'
import type { Mapped } from './mapped.ts'
import { holdHidden } from './readable-ids.ts'

/**
 * Returns what a message asks for, or every reason why it is held. No reason repeats a value of a patient. The message is a resource, or
 * its JSON as text or bytes. `at` decides which periods have ended; milliseconds since 1970. Throws `SettingsError` for a wrong map.
 */
export function mapFhir(message: unknown, map: MapFileInput, at: number = Date.now()): Mapped {
  const read = resourceIn(message)
  if (!read.ok) return { ok: false, held: [`resourceType: the message ${read.reason}`] }
  const collection = collectionOf(read.value)
  return collection === null ? NO_RESOURCE : mapCollection(collection, readMapFile(map), at)
}

/** Returns the resource of a message, which may be its JSON as text or bytes. */
export const resourceIn = (message: unknown): StrictJson =>
  typeof message === 'string' || message instanceof Uint8Array ? strictJson(message) : { ok: true, value: message }

/** The result for input that is not a FHIR resource. */
export const NO_RESOURCE: Mapped = { ok: false, held: ['resourceType: the message is not a FHIR resource'] }

/** Does the same for a message that was read already; its `missing` then says what it refers to and lacks. */
export function mapCollection(collection: Collection, map: MapFile, at: number): Mapped {
  const findings = createFindings()
  const { held, warnings, origins } = findings
  const reading = { collection, map, findings, at }
  for (const type of map.processingIds.includes('T') ? [] : collection.tests)
    findings.hold(`${type}.meta`, 'says HTEST: it is a test, and not of a real patient')
  const order = orderIn(reading)
  if (order === null || !isAccepted('resourceType', collection.type, map, findings)) return { ok: false, held }
  if (order.isWithdrawn) {
    const id = externalDocId(order, reading)
    const aliases = aliasesOf(order, reading)
    holdHidden(
      [id, ...aliases].map((one) => ['identifier', one] as const),
      findings,
    )
    if (held.length > 0) return { ok: false, held }
    return { ok: true, action: 'retract', externalDocId: id, ...(aliases.length > 0 && { aliases }), warnings }
  }
  const request = requestOf(order, reading)
  const { replaces, action } = replacementOf(order, request.document.externalDocId, reading)
  const aliases = aliasesOf(order, reading)
  holdHidden(
    [
      [origins['patient.externalId'] ?? 'Patient.identifier', request.patient?.externalId ?? ''],
      [origins['document.externalDocId'] ?? 'identifier', request.document.externalDocId],
      ...[...aliases, ...replaces].map((id) => ['identifier', id] as const),
    ],
    findings,
  )
  if (held.length > 0) return { ok: false, held }
  const body = CreateTask.safeParse(request)
  return body.success
    ? {
        ok: true,
        action,
        body: body.data,
        ...(replaces.length > 0 && { replaces }),
        ...(aliases.length > 0 && { aliases }),
        origins,
        warnings,
      }
    : { ok: false, held: describeIssues(body.error) }
}

/** A document with the id of the one that it replaces is a new version of it. */
function replacementOf(order: Order, own: string, reading: Reading) {
  const all = replacedIds(order, reading)
  const replaces = [...new Set(all)].filter((id) => id !== own)
  return { replaces, action: all.length > 0 ? ('replace' as const) : ('create' as const) }
}

function requestOf(order: Order, reading: Reading) {
  const { collection, findings } = reading
  const { patient: named, signers, organization } = order
  const [who] = signers
  if (named === undefined) findings.hold('subject', 'no patient')
  if (named !== undefined) {
    holdOtherIdentifier(reading, named)
    holdMerged(reading, named)
  }
  const patient = named && collection.resolve(named.reference, named.place, Patient, named.owner, findings)
  if (who === undefined) findings.hold('signer', 'does not identify a signer')
  const signer = who && signerOf(signers, reading)
  const orgNPI = signer?.hasOrganization ? signer.orgNPI : organization && organizationNpi(organization, reading)
  if (who !== undefined && orgNPI === undefined)
    findings.warn(
      who.place,
      'does not identify an organization, so the signer’s primary organization receives the task',
    )
  return {
    patient: patient && patientFacts(patient, reading),
    performers: [{ signer: { userNPI: signer?.userNPI }, ...(orgNPI !== undefined && { organization: { orgNPI } }) }],
    document: documentFacts(order, reading),
  }
}
