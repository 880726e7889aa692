/** Kysely over node:sqlite: one file, write-ahead log, every commit on disk before it is acknowledged. */
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { DATABASE_FILE } from '../folder/data-files.ts'
import { writableFolder } from '../folder/writable-folder.ts'
import type { Opened } from './flavour.ts'
import { OneConnection } from './one-connection.ts'
import type { Patience } from './patience.ts'
import { PatientDriver } from './patient-driver.ts'
import { readSqliteFault } from './sqlite-faults.ts'

export function openSqlite(data: string, patience: Patience): Opened {
  const file = data === ':memory:' ? data : privateFile(join(writableFolder(data), DATABASE_FILE))
  const handle = new DatabaseSync(file)
  const start = [
    'busy_timeout = 5000',
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    // What is deleted is overwritten.
    'secure_delete = ON',
    'busy_timeout = 0',
  ]
  for (const pragma of start) handle.exec(`PRAGMA ${pragma}`)
  const db = new Kysely<never>({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => new PatientDriver(new OneConnection(handle, patience.isAway), patience, readSqliteFault),
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
    unhurried: (work) => work(db),
    scrub: async (on) => {
      await sql`VACUUM`.execute(on)
      await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(on)
    },
    forget: async () => {
      await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db)
    },
    vacuumInto: async (file) => {
      await sql`VACUUM INTO ${file}`.execute(db)
    },
    wakeUps: () => null,
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
