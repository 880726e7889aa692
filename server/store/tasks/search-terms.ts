/**
 * The blind index by which the console finds tasks of a patient: digests of family names and birth dates, keyed per organization
 * and field under the key of the store's indexes. A row says nothing without that key except which tasks of an organization have
 * a term in common. Terms are removed together with the patient.
 */
import { type Term, termsOf } from '../../domain/task/search-words.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { later } from '../sql/later.ts'
import { requestOf, type TaskRequest } from './task-row.ts'

/** Returns the digests of a term: one for each organization. */
export const digestsOf = (
  { cipher }: Pick<StoreContext, 'cipher'>,
  organizationIds: readonly number[],
  [field, value]: Term,
) => organizationIds.map((id) => cipher.index(value, `search/${field}/${id}`))

/** In the transaction that makes the task, or marks it as searchable. */
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

/**
 * Makes some tasks searchable that an earlier version created, or one that still runs on the same database. Returns whether there
 * may be more of them.
 */
export const makeSearchable = (context: StoreContext): Promise<boolean> =>
  inTransaction(context, async (inside) => {
    const query = inside.db
      .selectFrom('task')
      .select(['id', 'organizationId', 'sealedRequest', 'contentsRemovedAt'])
      .where('isSearchable', '=', 0)
      .orderBy('id')
      .limit(TASKS_AT_ONCE)
    const rows = await (inside.locksRows ? query.forUpdate().skipLocked() : query).execute()
    for (const row of rows)
      if (row.contentsRemovedAt === null) await addTerms(inside, row, requestOf(inside, row).patient)
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await inside.db.updateTable('task').set({ isSearchable: 1 }).where('id', 'in', ids).execute()
    return rows.length === TASKS_AT_ONCE
  })

/** Few enough that others who wait for the database hardly notice. */
const TASKS_AT_ONCE = 100
