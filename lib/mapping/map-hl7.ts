/**
 * Makes of a message in HL7 v2 what the interface asks for. What is there and cannot be used holds the message, with a reason;
 * nothing is guessed. Pure.
 */
import { describeIssues } from '../contract/error.ts'
import { CreateTask } from '../contract/task/task.ts'
import { encodeMessage } from '../hl7/character-set.ts'
import { Hl7Error } from '../hl7/hl7-error.ts'
import { type ReadMessage, type Segment, segmentsOf } from '../hl7/message.ts'
import { parseMessage } from '../hl7/parse-message.ts'
import { valueIn } from '../hl7/value-at.ts'
import { createFindings, type Findings } from './findings.ts'
import { attachment } from './hl7/attachment.ts'
import { addresses, telecoms } from './hl7/contact.ts'
import { dateOf } from './hl7/date.ts'
import { documentFacts, externalDocId } from './hl7/document.ts'
import { patientNames } from './hl7/patient-names.ts'
import { patientNumbers } from './hl7/patient-numbers.ts'
import { sexOf } from './hl7/sex.ts'
import { organizationNpi, signerNpi } from './hl7/signer.ts'
import type { Kind } from './hl7/sources.ts'
import { type Wanted, wantedBy } from './hl7/triggers.ts'
import { type Hl7Origin, originOf } from './hl7-result/origin.ts'
import type { MapFile } from './map-file.ts'
import type { Mapped } from './mapped.ts'
import { externalId, identifiers } from './patient-numbers.ts'
import { usableNames } from './usable-names.ts'

/** What becomes of a message, and what it leaves for the result. */
export interface MappedHl7 {
  /** What the message asks for, or why it is held. */
  mapped: Mapped
  /** Left out when the message is held. */
  origin?: Hl7Origin
}

/**
 * Returns what a message asks for, or every reason why it is held. No reason repeats a value of a patient.
 * @param message in ER7: its bytes as they came, or text that was decoded already
 */
export const mapHl7 = (message: Uint8Array | string, map: MapFile): Mapped => mapHl7WithOrigin(message, map).mapped

/** Returns the same as `mapHl7`, with what `resultToHl7` needs of the message. */
export function mapHl7WithOrigin(message: Uint8Array | string, map: MapFile): MappedHl7 {
  try {
    const bytes = typeof message === 'string' ? encodeMessage(message, map.charset) : message
    return mapMessage(parseMessage(bytes, { characterSet: map.charset }), map)
  } catch (failure) {
    if (failure instanceof Hl7Error) return { mapped: { ok: false, held: [failure.message] } }
    throw failure
  }
}

function mapMessage(message: ReadMessage, map: MapFile): MappedHl7 {
  const findings = createFindings()
  const wanted = wantedBy(message, map, findings)
  if (wanted === null) return { mapped: { ok: false, held: findings.held } }
  const mapped = mapWanted(message, wanted, map, findings)
  return mapped.ok ? { mapped, origin: originOf(message, wanted.kind, map) } : { mapped }
}

function mapWanted(message: ReadMessage, { action, kind }: Wanted, map: MapFile, findings: Findings): Mapped {
  const { held, warnings, origins } = findings
  if (action === 'retract') {
    const id = externalDocId(message, kind, map, findings)
    return held.length > 0 ? { ok: false, held } : { ok: true, action, externalDocId: id, warnings }
  }
  const request = requestOf(message, kind, map, findings)
  if (held.length > 0) return { ok: false, held }
  const body = CreateTask.safeParse(request)
  return body.success
    ? { ok: true, action, body: body.data, origins, warnings }
    : { ok: false, held: describeIssues(body.error) }
}

function requestOf(message: ReadMessage, kind: Kind, map: MapFile, findings: Findings) {
  const pid = patientOf(message, findings)
  const numbers = pid === undefined ? [] : patientNumbers(pid)
  const orgNPI = organizationNpi(message, kind, map, findings)
  return {
    patient: pid && {
      externalId: externalId(numbers, 'PID-3', map, findings),
      names: usableNames(patientNames(pid), 'PID-5', findings),
      sex: sexOf(pid, map, findings),
      birthDate: dateOf('patient.birthDate', { place: 'PID-7', value: valueIn(pid, { field: 7 }) }, findings),
      addresses: addresses(pid, findings),
      identifiers: identifiers(numbers, map, findings),
      telecoms: telecoms(pid, findings),
    },
    performers: [
      {
        signer: { userNPI: signerNpi(message, kind, map, findings) },
        ...(orgNPI !== undefined && { organization: { orgNPI } }),
      },
    ],
    document: {
      ...documentFacts(message, kind, map, findings),
      attachment: attachment(message, map, findings),
    },
  }
}

function patientOf(message: ReadMessage, findings: Findings): Segment | undefined {
  const patients = segmentsOf(message, 'PID')
  if (patients.length !== 1) findings.hold('PID', patients.length === 0 ? 'no patient' : 'several patients')
  return patients.length === 1 ? patients[0] : undefined
}
