/** A column that is compared on rows which another condition has found. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * The value of a column, written so that no index is looked through for it. A condition that leaves few rows, such as an id,
 * must lead; SQLite, before it knows how the values are spread, prefers an index that gives the order of the list.
 */
export const unindexed = <T>(column: string): RawBuilder<T> => sql<T>`coalesce(${sql.ref(column)}, ${sql.ref(column)})`

/**
 * A condition that is compared on each row of a list whose order an index gives. Written so that both planners expect most rows to
 * pass: PostgreSQL, where it expects a condition to leave few rows, would rather read and sort all that match another one.
 */
export const compared = (condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  sql<SqlBool>`(case when ${condition} then 1 else 0 end) <> 0`
