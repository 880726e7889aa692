/**
 * The audit log: who did what to which task. Ids only, never a name, a date of birth or a free text. Each row is chained to
 * the one before it, so that a changed or removed row shows. A cut tail shows only against a head that was kept elsewhere.
 * Pure, except that the digest is an argument.
 */

/**
 * `service` is the service itself, for example its ingestion; `operator` a person at the command line or the console;
 * `visitor` someone who has not shown who it is.
 */
export type ActorKind = 'key' | 'signer' | 'service' | 'operator' | 'visitor'

export interface Actor {
  kind: ActorKind
  /** Key id, NPI, or id of the operator's account or key; null where there is only one. */
  id: string | null
  requestId?: string | undefined
  ip?: string | undefined
}

export const SERVICE: Actor = { kind: 'service', id: null }
export const OPERATOR: Actor = { kind: 'operator', id: null }

/** Acts on a task: `storyOf` has a sentence for each. */
export type TaskAction =
  | `task.${'create' | 'present' | 'fail' | 'sign' | 'reject' | 'retract' | 'cancel' | 'record' | 'review'}`
  /** The decision of a review was undone. */
  | 'task.reopen'
  | 'task.read'
  /** Its document and what was sent with it, because it ended long ago. */
  | 'task.remove-contents'
  | 'document.read'
  /** An operator or administrator opened it in the console. */
  | 'document.view'
  /** A copy was given out before it was signed. */
  | 'document.copy'
  /** The document about to be sealed differed from what the signer had been shown. */
  | 'document.differ'
  /** The document about to become the signed one did not verify. */
  | 'seal.fail'

export type AuditAction =
  | TaskAction
  /** A search, without its words; the subject is how many tasks were shown. */
  | 'task.search'
  /** The same of a list that was saved as a file. */
  | 'task.export'
  | 'patient.remove'
  | `subscription.${'create' | 'update' | 'delete' | 'deactivate'}`
  /** An operator ended the pause of a receiver. */
  | 'subscription.resume'
  /** A receiver was sent a test event. */
  | 'subscription.test'
  /** It got another secret, or the time in which both secrets are valid was ended. */
  | 'subscription.rotate'
  /** `rotate`: another key replaces it, and it ends at a chosen time. */
  | `key.${'issue' | 'revoke' | 'rotate'}`
  | `operator-key.${'issue' | 'revoke'}`
  | 'delivery.redeliver'
  | 'session.begin'
  /** The same, with an identity at a provider of single sign-on. */
  | 'session.sign-on'
  /** Of such an identity, with an account. */
  | `identity.${'link' | 'unlink'}`
  /** For a while from now on, no password is looked at: of an account, or from a network. */
  | 'session.throttle'
  /** `recover`: a recovery code was used up; `renew`: all were replaced; `check`: a code was wrong. */
  | `second-factor.${'enrol' | 'remove' | 'recover' | 'renew' | 'check'}`
  | `account.${'create' | 'update' | 'password' | 'disable' | 'enable' | 'remove' | 'unlock' | 'sign-out'}`
  | `organization.${'create' | 'update' | 'activate' | 'deactivate'}`
  | `provider.${'create' | 'update'}`
  /** That a colleague signs for a signer for a time. */
  | `delegation.${'create' | 'end'}`
  /** How a signer is notified by e-mail that documents wait. */
  | 'notices.update'
  /** An operator had an e-mail sent that says how many documents wait. */
  | 'notices.remind'
  | 'document-type.create'
  | `template.${'create' | 'update' | 'retire' | 'sample'}`
  /** The log itself was saved as a file; the subject is how many entries. */
  | 'audit.export'
  /** It was read in full, to find out whether it is whole. */
  | 'audit.verify'
  | `store.${'backup' | 'restore'}`
  | 'master-key.rotate'
  /** A row was refused, because it was changed without the master key; the subject is its table and id. */
  | 'row.refuse'
  | `sandbox.${'reset' | 'restore' | 'advance'}`

export type AuditOutcome = 'done' | 'refused'

/** Who did what; the log adds its place in the chain. Only acts that have a sentence in the story of a task name one. */
export type AuditEntry = EntryFacts &
  ({ action: TaskAction; taskId?: number | undefined } | { action: AuditAction; taskId?: undefined })

interface EntryFacts {
  by: Actor
  at: Date
  organizationId: number | null
  /** The id of what else it was done to: a subscription, a key, a delivery, an account, a provider by NPI, a template, a document type, a patient, a delegation; of an act on a task for another person: the signer, by NPI; of what was decided about a task, see `act-subject.ts`. */
  subject?: string | number | undefined
  outcome?: AuditOutcome
}

/** An entry as it is kept. */
export interface AuditRow {
  /** Counted from 1, without gaps. */
  sequence: number
  /** ISO 8601, UTC. */
  at: string
  actor: ActorKind
  actorId: string | null
  action: AuditAction
  outcome: AuditOutcome
  organizationId: number | null
  taskId: number | null
  subject: string | null
  requestId: string | null
  ip: string | null
  /** JSON: the authenticated rows that the same transaction wrote, each with its table, id and MAC; null, or not there: none. */
  written?: string | null | undefined
}

/** A row as it was written, with the hexadecimal digest over the hash before it and the row. */
export interface ChainedRow extends AuditRow {
  hash: string
}

/** Returns whether the story of a task has a sentence for the action. */
export const isTaskAction = (action: AuditAction): action is TaskAction =>
  /^(task|document|seal)\.(?!search|export)/.test(action)

/** The digest that the first row is chained to. */
export const GENESIS = '0'.repeat(64)

/** The text that a row's hash covers: the hash before, then the fields in a fixed order. */
export const chained = (previousHash: string, row: AuditRow): string =>
  `${previousHash}\n${JSON.stringify([
    row.sequence,
    row.at,
    row.actor,
    row.actorId,
    row.action,
    row.outcome,
    row.organizationId,
    row.taskId,
    row.subject,
    row.requestId,
    row.ip,
    ...(row.written ? [row.written] : []),
  ])}`

/** Returns the inconsistency when `row` follows `previous`, or null. */
export function chainFault(
  previous: Pick<ChainedRow, 'sequence' | 'hash'>,
  row: ChainedRow,
  digest: (text: string) => string,
): string | null {
  if (row.sequence !== previous.sequence + 1)
    return `row ${previous.sequence + 1} is missing; after ${previous.sequence} comes ${row.sequence}`
  if (digest(chained(previous.hash, row)) === row.hash) return null
  return `row ${row.sequence} was changed, or the row before it was`
}
