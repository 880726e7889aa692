/** Kysely over node:sqlite: one file, write-ahead log, every commit on disk before it is acknowledged. */
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, SqliteAdapter, SqliteIntrospector, sql } from 'kysely'
import { systemClock } from '../../../../lib/clock.ts'
import { DATABASE_FILE } from '../../folder/data-files.ts'
import { writableFolder } from '../../folder/writable-folder.ts'
import { SqliteInSnakeCase } from '../camel-case.ts'
import type { Opened } from '../flavour.ts'
import type { Patience } from '../patience.ts'
import { PatientDriver } from '../patient-driver.ts'
import { createStoreQueue } from '../store-queue.ts'
import { readSqliteFault } from './faults.ts'
import { OneConnection } from './one-connection.ts'
import { openRemoteSqlite } from './remote.ts'

export async function openSqlite(data: string, patience: Patience): Promise<Opened> {
  const file = data === ':memory:' ? data : privateFile(join(writableFolder(data), DATABASE_FILE))
  const sqlite = await openRemoteSqlite(file)
  const queue = createStoreQueue(systemClock)
  const db = new Kysely<never>({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () =>
        new PatientDriver(new OneConnection(sqlite, patience.isAway), patience, readSqliteFault, queue),
      createIntrospector: (instance) => new SqliteIntrospector(instance),
      createQueryCompiler: () => new SqliteInSnakeCase(),
    },
  })
  return {
    db,
    queue,
    serial: 'integer PRIMARY KEY AUTOINCREMENT',
    blob: 'blob',
    locksRows: false,
    startAt: async (on, table, first) => {
      await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${first - 1})`.execute(on)
    },
    countFrom: async (on, table, next) => {
      await sql`UPDATE sqlite_sequence SET seq = ${next - 1} WHERE name = ${table}`.execute(on)
    },
    countOn: async () => {},
    async unhurried(work) {
      // Sorts and rewrites may be larger than the memory.
      await sql`PRAGMA temp_store = FILE`.execute(db)
      try {
        return await work(db)
      } finally {
        await sql`PRAGMA temp_store = MEMORY`.execute(db)
      }
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

  /** OneConnection lets everybody wait for their turn, where it is measured; else Kysely would, before it. */
  override get supportsMultipleConnections() {
    return true
  }
}

/** The file, made for this user alone when it is missing; SQLite gives what it puts alongside it the same mode. */
function privateFile(file: string): string {
  closeSync(openSync(file, 'a', 0o600))
  return file
}
