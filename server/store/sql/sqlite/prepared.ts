/** Prepared statements of SQLite, kept for the next time. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** More than the service has; statements with lists of any length are what may push others out. */
const STATEMENTS_KEPT = 200

export interface Prepared {
  statement: StatementSync
  /** Null before Node.js 22.16, which cannot tell. */
  givesRows: boolean | null
}

/** Keeps the statements that were used last: to prepare one takes longer than to run it. */
export function preparing(handle: DatabaseSync): (sql: string) => Prepared {
  const kept = new Map<string, Prepared>()
  return (sql) => {
    const found = kept.get(sql)
    const prepared = found ?? prepare(handle, sql)
    kept.delete(sql)
    kept.set(sql, prepared)
    if (kept.size > STATEMENTS_KEPT) kept.delete(kept.keys().next().value!)
    return prepared
  }
}

function prepare(handle: DatabaseSync, sql: string): Prepared {
  const statement = handle.prepare(sql)
  return { statement, givesRows: 'columns' in statement ? statement.columns().length > 0 : null }
}
