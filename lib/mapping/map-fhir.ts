/**
 * Makes of a message in FHIR R4 what the interface asks for: of a DocumentReference, a ServiceRequest, a Task, or a Bundle with one of
 * them. What is there and cannot be used holds the message, with a reason; nothing is guessed, and nothing fetched. Pure.
 */
import { describeIssues } from '../contract/error.ts'
import { CreateTask } from '../contract/task/task.ts'
import { isAccepted } from './accepted.ts'
import { type Collection, collectionOf } from './fhir/collection.ts'
import { documentFacts, externalDocId } from './fhir/document.ts'
import { type Order, orderIn } from './fhir/order.ts'
import { patientFacts } from './fhir/patient.ts'
import type { Reading } from './fhir/reading.ts'
import { Patient } from './fhir/resources.ts'
import { organizationNpi, signerOf } from './fhir/signer.ts'
import { createFindings } from './findings.ts'
import type { MapFile } from './map-file.ts'
import type { Mapped } from './mapped.ts'

/** Returns what a message asks for, or every reason why it is held. No reason repeats a value of a patient. */
export function mapFhir(json: unknown, map: MapFile): Mapped {
  const collection = collectionOf(json)
  return collection === null ? NO_RESOURCE : mapCollection(collection, map)
}

/** What becomes of a message that is none. */
export const NO_RESOURCE: Mapped = { ok: false, held: ['resourceType: the message is no resource of FHIR'] }

/** Does the same for a message that was read already; its `missing` then says what it refers to and lacks. */
export function mapCollection(collection: Collection, map: MapFile): Mapped {
  const findings = createFindings()
  const { held, warnings, origins } = findings
  const reading = { collection, map, findings }
  const order = orderIn(reading)
  if (order === null || !isAccepted('resourceType', collection.type, map, findings)) return { ok: false, held }
  if (order.isWithdrawn) {
    const id = externalDocId(order, reading)
    return held.length > 0 ? { ok: false, held } : { ok: true, action: 'retract', externalDocId: id, warnings }
  }
  const request = requestOf(order, reading)
  if (held.length > 0) return { ok: false, held }
  const body = CreateTask.safeParse(request)
  return body.success
    ? { ok: true, action: 'create', body: body.data, origins, warnings }
    : { ok: false, held: describeIssues(body.error) }
}

function requestOf(order: Order, reading: Reading) {
  const { collection, map, findings } = reading
  const { patient: named, signer: who, organization } = order
  if (named === undefined) findings.hold('subject', 'no patient')
  const patient = named && collection.resolve(named.reference, named.place, Patient, named.owner, findings)
  if (who === undefined) findings.hold('signer', 'names no signer')
  const signer = who && signerOf(who, reading)
  const orgNPI = signer?.orgNPI ?? (organization && organizationNpi(organization, reading))
  if (who !== undefined && orgNPI === undefined)
    findings.warn(who.place, 'names no organization, so the primary organization of the signer receives the task')
  return {
    patient: patient && patientFacts(patient, map, findings),
    performers: [{ signer: { userNPI: signer?.userNPI }, ...(orgNPI !== undefined && { organization: { orgNPI } }) }],
    document: documentFacts(order, reading),
  }
}
