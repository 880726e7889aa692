/** The context of the operator's operations, the same for requests and for the command line. */
import type { Actor } from '../../domain/audit.ts'
import type { StaffDocuments } from '../../domain/staff-documents.ts'
import type { PatientsInLists } from '../../domain/task/patient-label.ts'
import type { Keyring } from '../../keys/keyring.ts'
import type { Store } from '../../store/store.ts'
import { rowsFor } from '../row.ts'
import type { RunningService } from './running.ts'

export interface OperatorContext {
  /** The organization whose things the caller sees and changes, an administrator's own; null for an operator: all of them. */
  scope: number | null
  by: Actor
  store: Store
  keyring: Pick<Keyring, 'issue' | 'replace' | 'writeUse'>
  patientsInLists: PatientsInLists
  /** Which PDFs operators and administrators may open. */
  staffDocuments: StaffDocuments
  /** Whether the service has a mail server. */
  offersNotices: boolean
  /** Null on the command line. */
  running: RunningService | null
  at: Date
  newId(): string
  /** Returns the bytes of a new webhook secret. */
  newSecret(): Uint8Array
  /** How long a resend by hand waits for the receiver's answer. */
  attemptWithinMs: number
  /** Between two looks for that answer. */
  pause(ms: number): Promise<unknown>
}

/** An operator decides for the service; an administrator only about their own organization. */
export const isOperator = ({ scope }: Pick<OperatorContext, 'scope'>): boolean => scope === null

/** Whether the caller may see and change what belongs to the organization. */
export const reaches = ({ scope }: Pick<OperatorContext, 'scope'>, organizationId: number): boolean =>
  scope === null || organizationId === scope

/**
 * Returns the organization to search in: the one that is asked for, or 0, which is no one's, when it is beyond the caller's
 * reach. Undefined means all.
 */
export function within({ scope }: Pick<OperatorContext, 'scope'>, organizationId?: number | null): number | undefined {
  if (scope === null) return organizationId ?? undefined
  return (organizationId ?? scope) === scope ? scope : 0
}

export const STAFF = ['operator', 'administrator'] as const
export const OPERATOR_ALONE = ['operator'] as const

export const operatorRow = rowsFor<OperatorContext>()
