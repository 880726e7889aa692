/**
 * Makes FHIR R4 of what became of a task: of a signed document, a new DocumentReference that replaces the one that was sent; of any
 * other outcome, a Task that says so. Pure.
 */
import { createHash } from 'node:crypto'
import type { Task } from '../../contract/task/task.ts'
import { isFinal } from '../../contract/task/task-status.ts'
import { utcTime } from '../../contract/utc-time.ts'
import { SIGNED_SYSTEM } from '../fhir/signed-system.ts'
import { type SignatureGiven, signatureProblems, signedFacts } from '../signed-facts.ts'
import type { FhirOrigin } from './origin.ts'
import { signedDocument } from './signed-document.ts'
import { statusTask } from './status-task.ts'

/** The input of a result. */
export interface FhirResultGiven extends SignatureGiven {
  /** The task, as it was read. */
  task: Pick<Task, 'taskId' | 'status' | 'statusReason' | 'externalDocId' | 'updatedAt'>
  /** The signed PDF; needed when the task is Completed, and not looked at otherwise. */
  pdf?: Uint8Array | undefined
  /** The origin that `mapFhirAt` returned for the order. */
  origin: FhirOrigin
  /** The time of a result that is a Task, where `task` has none; milliseconds since 1970. It is never the time of a signature. */
  at: number
}

/** Differences between servers. */
export interface FhirResultHabits {
  /** Where the PDF is: in the DocumentReference, or in a Binary alongside it, in a transaction Bundle. */
  content: 'inline' | 'binary'
  /**
   * The profile of the DocumentReference. `us-core`: a type, and a category, which is a clinical note when the order has none.
   * `mhd`: no docStatus, as IHE MHD publishes documents, and what is replaced becomes superseded. Optional, `plain` by default.
   */
  profile?: 'plain' | 'us-core' | 'mhd'
  /** Whether a Provenance with the signature comes with it, where the seal says who signed. Optional, false by default. */
  provenance?: boolean
  /** Whether a day in `context.period` gets a time, noon in UTC, for servers that refuse days. */
  dayWithTime: boolean
}

/** A result, or why there is none. */
export type FhirResult =
  | {
      /** Whether there is a result. */
      ok: true
      /** The resource, or the transaction Bundle. */
      resource: FhirResource
      /** The search that finds the result once the server has it: `identifier=system|value`, as a part of a URL. */
      ifNoneExist: string
      /** By the profile `mhd`, the reference to the DocumentReference that is superseded once the server has the result. */
      supersedes?: string
    }
  | {
      /** Whether there is a result. */
      ok: false
      /** Every reason, as sentences without values of a patient. */
      held: readonly string[]
    }

/** A resource to be written. */
export interface FhirResource {
  /** The type, for example `DocumentReference`. */
  resourceType: string
  [element: string]: unknown
}

/** Returns the result, or every reason why there is none. */
export function resultToFhir(given: FhirResultGiven, habits: FhirResultHabits): FhirResult {
  const held = problems(given, habits)
  if (held.length > 0) return { ok: false, held }
  const { task, pdf, origin } = given
  const isSigned = task.status === 'Completed' && pdf !== undefined
  const identifier = isSigned
    ? { system: SIGNED_SYSTEM, value: sha256(pdf) }
    : { system: 'urn:countersign:outcome', value: sha256(`${task.externalDocId}\n${task.taskId}\n${task.status}`) }
  const ifNoneExist = `identifier=${encodeURIComponent(`${identifier.system}|${identifier.value}`)}`
  const resource = isSigned
    ? signedDocument({ identifier, facts: signedFacts(given), pdf, origin, ifNoneExist }, habits)
    : statusTask({ identifier, date: changedAt(given), task, origin })
  const replaced = isSigned && habits.profile === 'mhd' ? origin.document?.reference : undefined
  return { ok: true, resource, ifNoneExist, ...(replaced !== undefined && { supersedes: replaced }) }
}

const changedAt = ({ task, at }: FhirResultGiven) =>
  new Date(task.updatedAt ? utcTime(task.updatedAt) : at).toISOString()

function problems({ task, pdf, origin, ...signed }: FhirResultGiven, { profile }: FhirResultHabits): string[] {
  const wrong = task.status === 'Completed' ? signatureProblems(signed) : []
  if (task.status === 'Completed') wrong.push(...profileProblems(origin, profile))
  if (!isFinal(task.status)) wrong.push(`status: ${task.status} is not final; wait until the task has ended`)
  if (task.status === 'Completed' && !isPdf(pdf)) wrong.push('payload: required; the signed PDF, as a Buffer')
  if (origin.subject === undefined)
    wrong.push(
      'origin.subject: the order does not identify the patient by a reference or an identifier that a server can resolve',
    )
  if (origin.document === undefined && origin.orders.length === 0)
    wrong.push(
      'origin.document: the order identifies neither a document nor a request, so there is nothing to link the result to',
    )
  return wrong
}

function profileProblems({ type, encounter, copied }: FhirOrigin, profile: FhirResultHabits['profile']): string[] {
  const several = [copied?.category ?? []].flat().length > 1
  const wrong = [
    [
      profile === 'us-core' && type === undefined,
      'origin.type: US Core requires the type of the document, and the order does not have it',
    ],
    [
      profile === 'us-core' && encounter.length > 1,
      'origin.encounter: US Core allows one encounter, and the order has several; use the profile plain',
    ],
    [
      profile === 'mhd' && several,
      'origin.copied.category: IHE MHD allows one category, and the order has several; use the profile plain',
    ],
  ] as const
  return wrong.flatMap(([isWrong, reason]) => (isWrong ? [reason] : []))
}

const isPdf = (pdf: Uint8Array | undefined): boolean =>
  pdf !== undefined && Buffer.from(pdf.subarray(0, 5)).toString('latin1') === '%PDF-'

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')
