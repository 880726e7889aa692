/** A transaction of SQLite. */
import type { DatabaseSync } from 'node:sqlite'

/** Does the work in one transaction and returns what it returns. Throws what failed; nothing of the work is written then. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (failure) {
    rollBack(database)
    throw failure
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite has already done so, as it does when the disk is full.
  }
}
