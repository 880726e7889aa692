/**
 * Makes of a message in HL7 v2 what the interface asks for. What is there and cannot be used holds the message, with a reason;
 * nothing is guessed. Pure.
 */
import { describeIssues } from '../contract/error.ts'
import { CreateTask } from '../contract/task/task.ts'
import { encodeMessage, likelySet } from '../hl7/character-set.ts'
import { Hl7Error } from '../hl7/hl7-error.ts'
import { fieldOf, type ReadMessage, type Segment, segmentsOf } from '../hl7/message.ts'
import { parseMessage } from '../hl7/parse-message.ts'
import { valueIn } from '../hl7/value-at.ts'
import { createFindings, type Findings } from './findings.ts'
import { attachment } from './hl7/attachment.ts'
import { actionOf, type Chosen, chosenOrder } from './hl7/chosen-order.ts'
import { addresses, telecoms } from './hl7/contact.ts'
import { dateOf } from './hl7/date.ts'
import { documentFacts, documentIds, parentId } from './hl7/document.ts'
import { organizationNpi } from './hl7/organization.ts'
import { patientNames } from './hl7/patient-names.ts'
import { patientNumbers } from './hl7/patient-numbers.ts'
import { holdEscapes } from './hl7/plain-values.ts'
import { sexOf } from './hl7/sex.ts'
import { signerNpi } from './hl7/signer.ts'
import { holdParticipations } from './hl7/sources.ts'
import { type Wanted, wantedBy } from './hl7/triggers.ts'
import { type Hl7Origin, originOf } from './hl7-result/origin.ts'
import type { MapFile } from './map-file.ts'
import type { Mapped } from './mapped.ts'
import { externalId, identifiers } from './patient-numbers.ts'
import { usableNames } from './usable-names.ts'

/** The result of mapping a message, with the origin that its result needs. */
export interface MappedHl7 {
  /** The mapped order, or why it is held. */
  mapped: Mapped
  /** Left out when the message is held. */
  origin?: Hl7Origin
}

/**
 * Returns what a message asks for, or every reason why it is held. No reason repeats a value of a patient.
 *
 * It returns only when the whole message was read: a hostile message of 32 MB takes up to 0.6 s, in which the thread does nothing else.
 * Call it in a worker thread with limits of time and memory when messages come from a network. The nodes do so from 256 kB on.
 * @param message in ER7: its bytes as they came, or text that was decoded already
 */
export const mapHl7 = (message: Uint8Array | string, map: MapFile): Mapped => mapHl7WithOrigin(message, map).mapped

/** Returns the same as `mapHl7`, with what `resultToHl7` needs of the message. */
export function mapHl7WithOrigin(message: Uint8Array | string, map: MapFile): MappedHl7 {
  try {
    const { charset = 'utf-8' } = map
    const bytes = typeof message === 'string' ? encodeMessage(message, charset) : message
    const likely = typeof message === 'string' ? null : likelySet(bytes)
    if (likely !== null && map.charset === undefined) {
      const reason = `MSH-18: names another character set, and the message is probably ${likely}; set charset in the map`
      return { mapped: { ok: false, held: [reason] } }
    }
    return mapMessage(parseMessage(bytes, { characterSet: charset, isNamedIgnored: likely !== null }), map)
  } catch (failure) {
    if (failure instanceof Hl7Error) return { mapped: { ok: false, held: [failure.message] } }
    throw failure
  }
}

function mapMessage(message: ReadMessage, map: MapFile): MappedHl7 {
  const findings = createFindings()
  const wanted = wantedBy(message, map, findings)
  const chosen = wanted === null ? null : chosenOrder(message, wanted.kind, map, findings)
  const action = wanted === null || chosen === null ? null : actionOf(wanted, chosen.status, findings)
  if (chosen === null || wanted === null || action === null || findings.held.length > 0)
    return { mapped: { ok: false, held: findings.held } }
  const mapped =
    action === 'retract' ? takenBack(chosen, wanted, findings) : newDocument(chosen, wanted, action, findings)
  return mapped.ok ? { mapped, origin: originOf(chosen.scope) } : { mapped }
}

function takenBack({ scope }: Chosen, { event }: Wanted, findings: Findings): Mapped {
  if (event === 'replace' && parentId(scope, findings) !== null)
    findings.hold('TXA-13', 'names a document that is replaced, and the message withdraws the one in its place')
  const { externalDocId, aliases } = documentIds(scope, findings)
  const { held, warnings } = findings
  holdEscapes({ document: { externalDocId }, aliases }, scope.message, findings)
  if (held.length > 0) return { ok: false, held }
  return { ok: true, action: 'retract', externalDocId, ...(aliases.length > 0 && { aliases }), warnings }
}

function newDocument(chosen: Chosen, { event }: Wanted, action: 'create' | 'replace', findings: Findings): Mapped {
  const { scope } = chosen
  const { held, warnings, origins } = findings
  const parent = event === 'replace' ? parentId(scope, findings) : null
  if (event === 'replace' && parent === null)
    findings.hold('TXA-13', 'empty, so it is not known which document is replaced')
  const ids = documentIds(scope, findings)
  const request = requestOf(chosen, ids.externalDocId, findings)
  holdEscapes({ ...request, aliases: ids.aliases, 'TXA-13': parent }, scope.message, findings)
  if (held.length > 0) return { ok: false, held }
  const body = CreateTask.safeParse(request)
  if (!body.success) return { ok: false, held: describeIssues(body.error) }
  return {
    ...{ ok: true, action },
    ...(action === 'replace' && { replaces: parent === null ? [ids.externalDocId, ...ids.aliases] : [parent] }),
    ...(ids.aliases.length > 0 && { aliases: ids.aliases }),
    ...{ body: body.data, origins, warnings },
  }
}

function requestOf({ scope, pdfs, strays, observations }: Chosen, externalDocId: string, findings: Findings) {
  const { message, map } = scope
  const pid = patientOf(message, findings)
  holdParticipations(scope, findings)
  const orgNPI = organizationNpi(scope, findings)
  return {
    patient: pid && {
      ...knownAs(message, pid, map, findings),
      names: usableNames(patientNames(message, pid, findings), 'PID-5', findings),
      sex: sexOf(pid, map, findings),
      birthDate: dateOf('patient.birthDate', { place: 'PID-7', value: valueIn(pid, { field: 7 }) }, map, findings),
      addresses: addresses(message, pid, findings),
      telecoms: telecoms(message, pid, findings),
    },
    performers: [
      {
        signer: { userNPI: signerNpi(scope, findings) },
        ...(orgNPI !== undefined && { organization: { orgNPI } }),
      },
    ],
    document: {
      ...documentFacts(scope, findings),
      externalDocId,
      attachment: attachment({ pdfs, strays }, observations, map, findings),
    },
  }
}

function knownAs(message: ReadMessage, pid: Segment, map: MapFile, findings: Findings) {
  const { numbers, notCounted } = patientNumbers(message, pid, findings)
  const id = externalId(numbers, 'PID-3', map, findings)
  if (id === '') for (const { place, reason } of notCounted) findings.hold(place, reason)
  else for (const { place, reason } of notCounted) findings.warn(place, `omitted, because it ${reason}`)
  return { externalId: id, identifiers: identifiers(numbers, map, findings) }
}

function patientOf(message: ReadMessage, findings: Findings): Segment | undefined {
  const patients = segmentsOf(message, 'PID')
  if (patients.length !== 1) findings.hold('PID', patients.length === 0 ? 'no patient' : 'several patients')
  for (const number of [7, 8])
    if (new Set(patients.flatMap((pid) => fieldOf(pid, number).map(([value]) => value?.[0]?.trim()))).size > 1)
      findings.hold(`PID-${number}`, 'holds different values')
  return patients.length === 1 ? patients[0] : undefined
}
