/** The SQLite files in which nodes keep messages: on the disk when a call returns, and closed to other users. */
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { createPrivateFile } from '../../../lib/journal/private-file.ts'

/** Opens the file, or makes it. Throws what SQLite and Node.js say of one that cannot be had. */
export function openQueueFile(file: string, schema: string): DatabaseSync {
  createPrivateFile(file)
  const database = new DatabaseSync(file)
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
  database.exec(`PRAGMA wal_autocheckpoint = ${MOST_LOGGED_PAGES}`)
  database.exec(schema)
  return database
}

/** More than the longest message takes: SQLite would otherwise write it twice in one call, to the log and to the database. */
const MOST_LOGGED_PAGES = 12_000
const LOGGED_BYTES = 4 * 1024 * 1024

/**
 * Returns a function that notes how many bytes were written. After a few megabytes, the write-ahead log is copied to the database in
 * a turn of the event loop of its own.
 */
export function createCheckpoints(database: DatabaseSync): (bytes: number) => void {
  let logged = 0
  return (bytes) => {
    logged += bytes
    if (logged < LOGGED_BYTES) return
    logged = 0
    setImmediate(() => {
      try {
        database.exec('PRAGMA wal_checkpoint(PASSIVE)')
      } catch {
        // Closing the file has copied it. What the disk refuses stays in the log, and the next write says so.
      }
    })
  }
}

/** A value of this many bytes is not left to what keeps it for longer than needed. */
export const LARGE = 1024 * 1024
export const EMPTY = new Uint8Array()

/** Whether a column of a table has the type of early files. */
export const isOfText = (database: DatabaseSync, table: string, column: string): boolean =>
  database.prepare(`SELECT 1 FROM pragma_table_info(?) WHERE name = ? AND type = 'TEXT'`).get(table, column) !==
  undefined

/** @param isDeleted removes the file, too */
export function closeQueueFile(database: DatabaseSync, file: string, isDeleted: boolean): void {
  database.close()
  if (isDeleted) for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
}
