/** The database of a store as an older version left it: its schema ends with one of the earlier migrations. */
import { sql } from 'kysely'
import { systemClock } from '../../../../lib/clock.ts'
import { createCipher } from '../../../../server/store/sealing/cipher.ts'
import { migratorOf } from '../../../../server/store/sql/database.ts'
import { createPatience } from '../../../../server/store/sql/patience.ts'
import { openPostgres } from '../../../../server/store/sql/postgres.ts'
import { openSqlite } from '../../../../server/store/sql/sqlite/sqlite.ts'

/**
 * Makes the tables and leaves them empty. The caller closes the database.
 * @param last the name of the last migration that is run
 */
export async function atMigration(data: string, masterKey: Uint8Array, last: string) {
  const cipher = createCipher(masterKey)
  const patience = createPatience(systemClock, () => 0)
  const database = await (data.startsWith('postgres:') ? openPostgres(data, 2, patience) : openSqlite(data, patience))
  const { error } = await migratorOf(database, cipher).migrateTo(last)
  if (error) throw error
  return {
    db: database.db,
    cipher,
    insert(table: string, row: Record<string, unknown>) {
      const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
      const values = sql.join(Object.values(row))
      return sql`INSERT INTO ${sql.table(table)} (${columns}) VALUES (${values})`.execute(database.db)
    },
    close: () => database.close(),
  }
}
