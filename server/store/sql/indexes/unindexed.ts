/** A column that is compared on rows which another condition has found. */
import { type RawBuilder, sql } from 'kysely'

/**
 * The value of a column, written so that no index is looked through for it. A condition that leaves few rows, such as an id,
 * must lead; SQLite, before it knows how the values are spread, prefers an index that gives the order of the list.
 */
export const unindexed = <T>(column: string): RawBuilder<T> => sql<T>`coalesce(${sql.ref(column)}, ${sql.ref(column)})`
