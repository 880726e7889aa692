/** Kysely over node:sqlite: one file, write-ahead log, every commit on disk before it is acknowledged. */
import { accessSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { DATABASE_FILE } from '../sealing/data-files.ts'
import type { Opened } from './flavour.ts'
import { OneConnection } from './one-connection.ts'

export function openSqlite(data: string): Opened {
  const file = data === ':memory:' ? data : privateFile(join(writableFolder(data), DATABASE_FILE))
  const handle = new DatabaseSync(file)
  const start = [
    'busy_timeout = 5000',
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'busy_timeout = 0',
  ]
  for (const pragma of start) handle.exec(`PRAGMA ${pragma}`)
  const db = new Kysely<never>({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => new OneConnection(handle),
      createIntrospector: (instance) => new SqliteIntrospector(instance),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  return {
    db,
    serial: 'integer PRIMARY KEY AUTOINCREMENT',
    blob: 'blob',
    locksRows: false,
    startAt: async (on, table, first) => {
      await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${first - 1})`.execute(on)
    },
    countOn: async () => {},
    scrub: async () => {
      await sql`VACUUM`.execute(db)
      await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db)
    },
    close: () => db.destroy(),
  }
}

/** SQLite undoes changes of the schema too, so migrations run in one transaction, and two processes that start at once take turns. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

/** The file, made for this user alone when it is missing; SQLite gives what it puts beside it the same mode. */
function privateFile(file: string): string {
  closeSync(openSync(file, 'a', 0o600))
  return file
}

/** The folder, made when it is missing; refuses with a sentence that says what to do. */
export function writableFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
    if (statSync(folder).isDirectory()) return folder
  } catch {
    // Reported below: the reason of the file system names the folder a second time and says no more.
  }
  throw new Error(`The data folder ${folder} cannot be written. Give --data a folder that this user may write to.`)
}
