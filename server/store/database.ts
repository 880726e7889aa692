/** Opens the database that `data` names, SQLite or PostgreSQL, and brings its schema up to date. The rest of the store does not see which. */
import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { initial } from './migrations/0001-initial.ts'
import { people } from './migrations/0003-people.ts'
import type { Schema } from './schema.ts'

/** What the two databases say differently. */
export interface Flavour {
  /** Type of a column of ids that the database counts up. */
  serial: string
  blob: string
  /** Makes the first id of a table. */
  startAt(db: Kysely<never>, table: string, first: number): Promise<void>
  /** After rows were inserted with ids of their own, lets the database count on after the largest. */
  countOn(db: Kysely<Schema>, table: 'document_type' | 'template'): Promise<void>
  /** Rows that one of several processes works on are skipped by the others. SQLite has one writer, so there it is not needed. */
  locksRows: boolean
}

export interface Database extends Flavour {
  db: Kysely<Schema>
  close(): Promise<void>
}

const migrations: Record<string, (db: Kysely<never>, flavour: Flavour) => Promise<void>> = {
  '0001-initial': initial,
  '0003-people': people,
}

/** `data` is a folder, `:memory:`, or a `postgres://` URL. */
export async function openDatabase(data: string): Promise<Database> {
  const database = /^postgres(ql)?:\/\//.test(data)
    ? await import('./postgres.ts').then(({ openPostgres }) => openPostgres(data))
    : await import('./sqlite.ts').then(({ openSqlite }) => openSqlite(data))
  await migrate(database)
  return database
}

async function migrate(database: Database): Promise<void> {
  const bound = Object.entries(migrations).map(([name, up]): [string, Migration] => [
    name,
    { up: (db) => up(db as Kysely<never>, database) },
  ])
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: async () => Object.fromEntries(bound) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) {
    await database.close()
    throw new Error('The schema of the store could not be brought up to date.', { cause: error })
  }
}
