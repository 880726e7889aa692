/**
 * Rows whose number no process gives: another program has changed the database. Queues do not read them, because such a number cannot
 * be kept or would be read without end; they are counted here, so that a person sees them and decides.
 */
import type { SharedDatabase } from './shared-database.ts'
import { IS_NUMBERED } from './where.ts'

/** Marks name their message by text. Those of **create task** name an order, whose name may be any text. */
const IS_MARK_OF_NUMBER = `CASE WHEN id ~ '^[1-9][0-9]{0,15}$' THEN id::bigint <= ${Number.MAX_SAFE_INTEGER} ELSE false END`

const IMPOSSIBLE: readonly (readonly [table: string, where: string])[] = [
  ['countersign_accepted', `(${IS_NUMBERED}) IS NOT TRUE`],
  ['countersign_held', `(${IS_NUMBERED}) IS NOT TRUE`],
  ['countersign_claim', `(${IS_NUMBERED}) IS NOT TRUE`],
  ['countersign_under_way', `queue !~ '^handled-' AND (${IS_MARK_OF_NUMBER}) IS NOT TRUE`],
]

const COUNT = `SELECT ${IMPOSSIBLE.map(([table, where]) => `(SELECT count(*) FROM ${table} WHERE ${where})`).join(' + ')} AS count`
const REMOVE = IMPOSSIBLE.map(([table, where]) => `DELETE FROM ${table} WHERE ${where}`).join('; ')

export async function countImpossibleRows({ pool }: SharedDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(COUNT)
  return Number(rows[0]!.count)
}

/** Removes all of them, or none. */
export async function removeImpossibleRows({ pool }: SharedDatabase): Promise<void> {
  await pool.query(REMOVE)
}
