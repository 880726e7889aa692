/** The order of lists. */
import { type RawBuilder, sql } from 'kysely'

/**
 * The id, descending, where a list is filtered: written as the indexes of the filters end, so that only they have the order. By
 * the id alone, PostgreSQL goes through the whole table by its primary key and compares, where many rows ought to match and none
 * of the newest do. Where nothing is filtered, that key is what it takes.
 */
export const newestFirst = (id: string, isFiltered: boolean): RawBuilder<number> =>
  isFiltered ? sql<number>`(${sql.ref(id)} + 0)` : sql.ref<number>(id)
