/** The tasks that a call may reach. Who acts is something else: the audit log's `Actor`. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Refusal } from '../../domain/refusal.ts'
import { standsInForSignerOf } from '../delegation/standing-in.ts'

/** The tasks of one sender, of one signer, or of all: for the service's own workers and the operator. */
export type Scope = { organizationId: number } | SignerScope | 'all'

export interface SignerScope {
  signerNpi: string
  /** Adds the tasks of those whom the signer signs for at this time. */
  standingInAt?: Date | undefined
}

/** The condition that a row is within the scope; `task` is the name that the table of tasks has in the query. */
export function isWithin(scope: Scope, task = 'task'): RawBuilder<SqlBool> {
  if (scope === 'all') return sql<SqlBool>`1 = 1`
  if ('organizationId' in scope) return sql<SqlBool>`${sql.ref(`${task}.organizationId`)} = ${scope.organizationId}`
  const { signerNpi: npi, standingInAt: at } = scope
  const own = sql<SqlBool>`${sql.ref(`${task}.signerNpi`)} = ${npi}`
  return at ? sql<SqlBool>`(${own} OR ${standsInForSignerOf(task, { npi, at })})` : own
}

/** Returns the delegate who acts on the task of another signer, or null. */
export const delegateOf = (scope: Scope, signerNpi: string): string | null =>
  scope !== 'all' && 'signerNpi' in scope && scope.signerNpi !== signerNpi ? scope.signerNpi : null

/** In the reader's words. A task of another person and one that does not exist look the same. */
export function noSuchTask(scope: Scope, taskId: number): Refusal {
  if (scope === 'all') return new Refusal('notFound', `There is no task ${taskId}.`)
  return 'organizationId' in scope
    ? new Refusal('notFound', `There is no task ${taskId} for this key.`)
    : new Refusal('notFound', `Document ${taskId} does not wait for you, or no longer does.`)
}
