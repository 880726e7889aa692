/** Opens the database that `data` names, SQLite or PostgreSQL, and brings its schema up to date. The rest of the store does not see which. */
import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Database, Flavour } from './flavour.ts'
import { initial } from './migrations/0001-initial.ts'
import { deliveryLog } from './migrations/0002-delivery-log.ts'
import { people } from './migrations/0003-people.ts'
import { patientAliases } from './migrations/0004-patient-aliases.ts'
import { retiredTemplates } from './migrations/0005-retired-templates.ts'
import { activeContent } from './migrations/0007-active-content.ts'

const migrations: Record<string, (db: Kysely<never>, flavour: Flavour) => Promise<void>> = {
  '0001-initial': initial,
  '0002-delivery-log': deliveryLog,
  '0003-people': people,
  '0004-patient-aliases': patientAliases,
  '0005-retired-templates': retiredTemplates,
  '0007-active-content': activeContent,
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
