/** Opens the database that `data` names, SQLite or PostgreSQL, and brings its schema up to date. The rest of the store does not see which. */
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { isServer } from '../../domain/store-place.ts'
import type { Cipher } from '../sealing/cipher.ts'
import { rowsInCamelCase } from './camel-case.ts'
import type { Database, Flavour, Opened } from './flavour.ts'
import { guard } from './guard.ts'
import { initial } from './migrations/0001-initial.ts'
import type { Patience } from './patience.ts'
import type { Schema } from './schema.ts'
import { keepWriter, mustBeKnown, writtenBy } from './written-by.ts'

const migrations: Record<string, (db: Kysely<never>, flavour: Flavour) => Promise<void>> = {
  '0001-initial': initial,
}

/** The names of all that this version knows, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations)

export interface DatabaseOptions {
  /** A folder, `:memory:`, or a `postgres://` URL. */
  data: string
  /** To PostgreSQL; SQLite has one. */
  connections: number
  patience: Patience
}

/** The cipher encrypts the version that last changed the schema. */
export async function openDatabase(
  { data, connections, patience }: DatabaseOptions,
  cipher: Cipher,
): Promise<Database> {
  const opened = isServer(data)
    ? await import('./postgres.ts').then(({ openPostgres }) => openPostgres(data, connections, patience))
    : await import('./sqlite/sqlite.ts').then(({ openSqlite }) => openSqlite(data, patience))
  try {
    await migrate(opened, cipher)
    return { ...opened, db: inCamelCase(opened.db) }
  } catch (failure) {
    await opened.close()
    throw failure
  }
}

/** The schema has camelCase names where SQL has snake_case. */
const inCamelCase = (db: Kysely<never>): Kysely<Schema> =>
  (db as unknown as Kysely<Schema>).withPlugin(rowsInCamelCase).withPlugin(guard)

/** Returns the migrator that brings the schema up to date. */
export function migratorOf(database: Opened): Migrator {
  const bound = Object.entries(migrations).map(([name, up]): [string, Migration] => [
    name,
    { up: (db) => up(db as Kysely<never>, database) },
  ])
  return new Migrator({ db: database.db, provider: { getMigrations: async () => Object.fromEntries(bound) } })
}

export async function isUpToDate(db: Kysely<Schema>): Promise<boolean> {
  const done = await migrationsDone(db)
  return migrationNames.every((name) => done.has(name))
}

async function migrationsDone(db: Kysely<Schema>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Whether nothing is to be done, as at most starts, which then need not look at every table. */
async function isDone(db: Kysely<Schema>, cipher: Cipher): Promise<boolean> {
  // A new store has no such table. Whatever else is wrong shows again in what is done then.
  const done = await migrationsDone(db).catch(() => new Set())
  const isSame = done.size === migrationNames.length && migrationNames.every((name) => done.has(name))
  return isSame && (await writtenBy(db, cipher)) !== null
}

async function migrate(database: Opened, cipher: Cipher): Promise<void> {
  if (await isDone(inCamelCase(database.db), cipher)) return
  const { error } = await database.unhurried(async (db) => {
    const named = inCamelCase(db)
    await mustBeKnown(named, cipher, migrationNames)
    const { error, results = [] } = await migratorOf({ ...database, db }).migrateToLatest()
    if (!error && (results.length > 0 || (await writtenBy(named, cipher)) === null)) await keepWriter(named, cipher)
    return { error }
  })
  if (error) throw new Error('The schema of the store could not be brought up to date.', { cause: error })
}
