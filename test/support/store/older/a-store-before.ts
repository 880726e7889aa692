/** A store as it was before a migration, with the rows of a store of today as far as the older tables have places for them. */
import { DatabaseSync } from 'node:sqlite'
import { tablesIn } from '../../../../server/store/backup/plain-tables.ts'
import { migrationNames } from '../../../../server/store/sql/database.ts'
import { atMigration } from './at-migration.ts'

/**
 * @param file the SQLite file of the store of today, under the same master key
 * @param data where the older store is made
 */
export async function aStoreBefore(
  migration: string,
  file: string,
  data: string,
  masterKey: Uint8Array,
): Promise<void> {
  const last = migrationNames[migrationNames.indexOf(migration) - 1]
  if (last === undefined) throw new Error(`Nothing comes before ${migration}.`)
  const older = await atMigration(data, masterKey, last)
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = await older.db.introspection.getTables()
    for (const name of tablesIn(source)) {
      const columns = tables.find((table) => table.name === name)?.columns.map((column) => column.name) ?? []
      if (columns.length === 0) continue
      const rows = source.prepare(`SELECT ${columns.join(', ')} FROM ${name}`).all()
      for (const row of rows) await older.insert(name, row)
    }
  } finally {
    source.close()
    await older.close()
  }
}
