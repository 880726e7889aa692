/**
 * The blind index by which the console finds tasks of a patient: digests of family names and birth dates, keyed per organization
 * and field under the key of the store's indexes. A row says nothing without that key except which tasks of an organization have
 * a term in common. Terms are removed together with the patient.
 */
import { type Term, termsOf } from '../../domain/task/search-words.ts'
import type { StoreContext, TransactionContext } from '../context.ts'
import { later } from '../sql/later.ts'
import type { TaskRequest } from './task-row.ts'

/** Returns the digests of a term: one for each organization. */
export const digestsOf = (
  { cipher }: Pick<StoreContext, 'cipher'>,
  organizationIds: readonly number[],
  [field, value]: Term,
) => organizationIds.map((id) => cipher.index(value, `search/${field}/${id}`))

/** In the transaction that makes the task. */
export async function addTerms(
  inside: TransactionContext,
  { id, organizationId }: { id: number; organizationId: number },
  patient: TaskRequest['patient'],
): Promise<void> {
  const terms = new Set(termsOf(patient).flatMap((term) => digestsOf(inside, [organizationId], term)))
  const rows = [...terms].map((term) => ({ term, taskId: id }))
  await later(
    inside.db,
    inside.db
      .insertInto('taskTerm')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing()),
  )
}

export const removeTerms = async ({ db }: TransactionContext, taskId: number): Promise<void> => {
  await db.deleteFrom('taskTerm').where('taskId', '=', taskId).execute()
}
