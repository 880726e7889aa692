/**
 * Makes a message in HL7 v2 of what became of a task: of a signed document, one that brings it; of any other outcome, the status of
 * the document that was sent. Patient, visit and order are repeated as they came. Pure.
 */
import type { Task } from '../../contract/task/task.ts'
import { isFinal } from '../../contract/task/task-status.ts'
import { timestamp } from '../../hl7/acknowledgement.ts'
import { textIn } from '../../hl7/character-set.ts'
import { escaper, readEscapes } from '../../hl7/escapes.ts'
import { Hl7Error } from '../../hl7/hl7-error.ts'
import { segmentsOf } from '../../hl7/message.ts'
import { valueAt } from '../../hl7/value-at.ts'
import { writeMessage } from '../../hl7/write-message.ts'
import type { SealedPerson } from '../../pdf/read-signature.ts'
import { type SignatureGiven, signatureProblems, signedFacts } from '../signed-facts.ts'
import { documentMessage } from './document-message.ts'
import { observationMessage } from './observation-message.ts'
import type { Hl7Origin } from './origin.ts'

/** The input of a result. */
export interface Hl7ResultGiven extends SignatureGiven {
  /** The task, as it was read. */
  task: Pick<Task, 'taskId' | 'status' | 'statusReason'>
  /** The signed PDF; needed when the task is Completed, and not looked at otherwise. */
  pdf?: Uint8Array | undefined
  /** The origin that `mapHl7WithOrigin` returned for the order. */
  origin: Hl7Origin
  /** The time of the message, for its header; milliseconds since 1970. It is never the time of the signature. */
  at: number
}

/** Differences between receivers. */
export interface Hl7ResultHabits {
  /**
   * The message type of a signed document: MDM^T02, a new document; T04, the one that was sent, with a new status; T10, a
   * replacement; R01, a result, ORU^R01.
   */
  event: 'T02' | 'T04' | 'T10' | 'R01'
  /** TXA-17 of a signed document: authenticated, or legally authenticated. */
  completion: 'AU' | 'LA'
  /** MSH-3 to MSH-6, where they are not those of the order. */
  parties?: Hl7Parties
}

/**
 * From whom a result goes to whom, as text with `^` between the components: `LAB^2.16.840.1.113883.19.4^ISO`. Where one is left
 * out or empty, the receiver of the order sends, and its sender receives.
 */
export interface Hl7Parties {
  /** MSH-3. */
  sendingApplication?: string
  /** MSH-4. */
  sendingFacility?: string
  /** MSH-5. */
  receivingApplication?: string
  /** MSH-6. */
  receivingFacility?: string
}

/** A result, or why there is none. */
export type Hl7Result =
  | {
      /** Whether there is a result. */
      ok: true
      /** In ER7, with the delimiters and in the character set of the order. */
      message: Uint8Array
      /** MSH-10, the same for each result of a task in the same event. */
      controlId: string
      /** `MDM^T02`. */
      messageType: string
      /** The id under which the receiver finds the result: of TXA-12, or of the request in OBR. */
      documentId: string
    }
  | {
      /** Whether there is a result. */
      ok: false
      /** Every reason, as sentences without values of a patient. */
      held: readonly string[]
    }

/** The input of each part of a result. */
export interface Result {
  event: Hl7ResultHabits['event'] | 'T03'
  completion: Hl7ResultHabits['completion']
  parties: Hl7Parties
  taskId: Task['taskId']
  controlId: string
  /** The time of the message, as HL7 writes it. */
  time: string
  /** The time of the signature; empty when it is not known. */
  signedAt: string
  signer: SealedPerson | null
  reason: string
  pdf: Uint8Array
  /** The origin with its escapes. */
  origin: Hl7Origin
  /** Escapes a value that did not come with the order. */
  escaped: (value: string) => string
}

/** Returns the result, or every reason why there is none. */
export function resultToHl7(given: Hl7ResultGiven, habits: Hl7ResultHabits): Hl7Result {
  const held = problems(given, habits)
  if (held.length > 0) return { ok: false, held }
  const { task, pdf = new Uint8Array(), at } = given
  const { origin } = given
  const { delimiters, characterSet } = origin
  const facts = signedFacts(given)
  const event: Result['event'] = task.status === 'Completed' ? habits.event : 'T03'
  const controlId = `${task.taskId}-${event}`
  const { completion, parties = {} } = habits
  const result = {
    event,
    completion,
    parties,
    taskId: task.taskId,
    controlId,
    time: timestamp(new Date(at)),
    signedAt: facts.at ? timestamp(facts.at) : '',
    signer: facts.signer,
    escaped: escaper(delimiters),
    reason: task.statusReason ?? '',
    pdf,
    origin,
  }
  const message = event === 'R01' ? observationMessage(result) : documentMessage(result)
  const messageType = `${valueAt(message, 'MSH-9')}^${event}`
  const id = valueAt(message, 'TXA-12') || valueAt(message, 'OBR-3') || valueAt(message, 'OBR-2')
  const documentId = readEscapes(id, delimiters, (bytes) => textIn(bytes, characterSet) ?? '')
  try {
    return { ok: true, message: writeMessage(message, { isEscaped: true }), controlId, messageType, documentId }
  } catch (failure) {
    if (failure instanceof Hl7Error) return { ok: false, held: [failure.message] }
    throw failure
  }
}

function problems({ task, pdf, origin, ...signed }: Hl7ResultGiven, { event }: Hl7ResultHabits): string[] {
  const isSigned = task.status === 'Completed'
  const wrong = isSigned ? signatureProblems(signed) : []
  if (!isFinal(task.status)) wrong.push(`status: ${task.status} is not final; wait until the task has ended`)
  if (isSigned && Buffer.from(pdf?.subarray(0, 5) ?? []).toString('latin1') !== '%PDF-')
    wrong.push('payload: required; the signed PDF, as a Buffer')
  if (segmentsOf(origin, 'PID').length !== 1)
    wrong.push('origin: the order has no PID, so the result would have no patient')
  if (isSigned && event === 'R01' && !/\S/.test(valueAt(origin, 'OBR-2') + valueAt(origin, 'OBR-3')))
    wrong.push('origin: the order has no number in OBR-2 or OBR-3, which a result must repeat; choose MDM')
  return wrong
}
