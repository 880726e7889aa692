/** A store as it was before a migration, with the rows of a store of today as far as the older tables have places for them. */
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { type ChainedRow, chained, GENESIS } from '../../../../server/domain/audit.ts'
import { auditChain } from '../../../../server/store/audit/audit-chain.ts'
import { tablesIn } from '../../../../server/store/backup/plain-tables.ts'
import { bindings } from '../../../../server/store/sealing/bindings.ts'
import { rowsInCamelCase } from '../../../../server/store/sql/camel-case.ts'
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
    if (last < '0036-authenticated-rows') await asBeforeMacs(older)
  } finally {
    source.close()
    await older.close()
  }
}

/** Before rows were authenticated, the keys of the store did not say since when, and no entry of the audit log named a row. */
async function asBeforeMacs({ db, cipher }: Awaited<ReturnType<typeof atMigration>>): Promise<void> {
  const place = bindings.keepsake('index key')
  const { rows: keepsakes } = await sql<{
    sealed: Uint8Array
  }>`SELECT sealed FROM keepsake WHERE name = 'index key'`.execute(db)
  const { rows: _, ...kept } = JSON.parse(cipher.open(keepsakes[0]!.sealed, place).toString('utf8'))
  await sql`UPDATE keepsake SET sealed = ${cipher.seal(JSON.stringify(kept), place)} WHERE name = 'index key'`.execute(
    db,
  )
  const { digestOf } = auditChain(Buffer.from(kept.audit, 'base64'), kept.keyedAfter)
  const log = db.withPlugin(rowsInCamelCase)
  const { rows } = await sql<ChainedRow>`SELECT * FROM audit ORDER BY sequence`.execute(log)
  let last = GENESIS
  for (const { written, ...row } of rows) {
    last = digestOf(row.sequence)(chained(last, row))
    await sql`UPDATE audit SET hash = ${last} WHERE sequence = ${row.sequence}`.execute(db)
  }
}
