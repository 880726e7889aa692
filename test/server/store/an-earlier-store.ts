/** The schema as it was before documents were prepared, made by the migrations that there were then. */
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { initial } from '../../../server/store/migrations/0001-initial.ts'
import { deliveryLog } from '../../../server/store/migrations/0002-delivery-log.ts'
import { people } from '../../../server/store/migrations/0003-people.ts'
import { patientAliases } from '../../../server/store/migrations/0004-patient-aliases.ts'
import { retiredTemplates } from '../../../server/store/migrations/0005-retired-templates.ts'
import { openPostgres } from '../../../server/store/postgres.ts'
import { openSqlite } from '../../../server/store/sqlite.ts'

/** `data` as `--data` would say; it is closed again. */
export async function anEarlierStore(data: string): Promise<void> {
  const database = data.startsWith('postgres') ? await openPostgres(data) : openSqlite(data)
  const up = (migration: typeof initial) => ({ up: (db: Kysely<never>) => migration(db, database) })
  const migrations = {
    '0001-initial': up(initial),
    '0002-delivery-log': up(deliveryLog),
    '0003-people': up(people),
    '0004-patient-aliases': up(patientAliases),
    '0005-retired-templates': up(retiredTemplates),
  }
  const migrator = new Migrator({ db: database.db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  await database.close()
  if (error) throw error
}
