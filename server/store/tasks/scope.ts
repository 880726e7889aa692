/** Whose tasks a call may reach. Who acts is something else: the audit log's `Actor`. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Refusal } from '../../domain/refusal.ts'

/** Those of one sender, those of one signer, or everybody's: for the service's own workers and the operator. */
export type Scope = { organizationId: number } | { signerNpi: string } | 'all'

/** The condition that a row is within the scope; `task` is the name that the table of tasks has in the query. */
export function isWithin(scope: Scope, task = 'task'): RawBuilder<SqlBool> {
  if (scope === 'all') return sql<SqlBool>`1 = 1`
  return 'organizationId' in scope
    ? sql<SqlBool>`${sql.ref(`${task}.organizationId`)} = ${scope.organizationId}`
    : sql<SqlBool>`${sql.ref(`${task}.signerNpi`)} = ${scope.signerNpi}`
}

/** In the reader's words. A task of somebody else and one that does not exist look the same. */
export function noSuchTask(scope: Scope, taskId: number): Refusal {
  if (scope === 'all') return new Refusal('notFound', `There is no task ${taskId}.`)
  return 'organizationId' in scope
    ? new Refusal('notFound', `There is no task ${taskId} for this key.`)
    : new Refusal('notFound', `Document ${taskId} does not wait for you, or no longer does.`)
}
