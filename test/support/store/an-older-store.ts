/** A store as it was before texts and URLs were sealed and before the audit log had a key, with rows as they were written then. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { systemClock } from '../../../lib/clock.ts'
import { type AuditRow, chained, GENESIS } from '../../../server/domain/audit.ts'
import { createCipher } from '../../../server/store/sealing/cipher.ts'
import { migratorOf } from '../../../server/store/sql/database.ts'
import { createPatience } from '../../../server/store/sql/patience.ts'
import { openPostgres } from '../../../server/store/sql/postgres.ts'
import { openSqlite } from '../../../server/store/sql/sqlite/sqlite.ts'

export const OLDER = {
  url: 'https://ehr.example.org/?token=zyx-older-token',
  description: 'Zyx older description',
  summary: 'Zyx older summary',
  dateLabel: 'Zyx older label',
  fieldText: 'Zyx older text of a field',
}
/** The URL of rows that were removed: SQLite left them in the pages that it no longer uses. */
export const REMOVED = 'https://gone.example.org/?token=zyx-removed-token'
export const OLDER_ROWS = 6
const AT = '2025-11-03T08:00:00.000Z'
const FIELD = {
  page: 1,
  type: 'TextArea',
  required: false,
  value: OLDER.fieldText,
  box: { left: 0, top: 0, right: 9, bottom: 9 },
}

export async function anOlderStore(data: string, masterKey: Uint8Array): Promise<void> {
  const cipher = createCipher(masterKey)
  const patience = createPatience(systemClock, () => 0)
  const database = await (data.startsWith('postgres:') ? openPostgres(data, 2, patience) : openSqlite(data, patience))
  const { error } = await migratorOf(database, cipher).migrateTo('0005-retired-templates')
  if (error) throw error
  const insert = (table: string, row: Record<string, unknown>) => {
    const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
    return sql`INSERT INTO ${sql.table(table)} (${columns}) VALUES (${sql.join(Object.values(row))})`.execute(
      database.db,
    )
  }
  const indexKey = JSON.stringify(Buffer.alloc(32, 3).toString('base64'))
  await insert('keepsake', {
    name: 'index key',
    created_at: AT,
    sealed: cipher.seal(indexKey, 'keepsake/index key'),
  })
  await insert('organization', { name: 'Older', addresses: '[]', ingestion_enabled: 1, created_at: AT })
  const removed = Array<string>(40).fill(REMOVED + 'x'.repeat(1_000))
  for (const url of [OLDER.url, ...removed])
    await insert('subscription', {
      organization_id: 1,
      url,
      description: OLDER.description,
      is_active: 1,
      sealed_secret: cipher.seal('an older secret of thirty-two by', 'subscription/1/1'),
      created_at: AT,
      updated_at: AT,
    })
  await sql`DELETE FROM subscription WHERE url <> ${OLDER.url}`.execute(database.db)
  await insert('template', {
    organization_id: 1,
    summary: OLDER.summary,
    clinical_date_label: OLDER.dateLabel,
    diagnosis_code_allowed: 1,
    diagnosis_code_required: 0,
    pdf_required: 1,
    is_custom: 1,
    fields: JSON.stringify([FIELD]),
  })
  let hash = GENESIS
  for (let sequence = 1; sequence <= OLDER_ROWS; sequence++) {
    const row: AuditRow = {
      sequence,
      at: AT,
      actor: 'operator',
      actorId: null,
      action: 'organization.update',
      outcome: 'done',
      organizationId: 1,
      taskId: null,
      subject: null,
      requestId: null,
      ip: null,
    }
    hash = createHash('sha256').update(chained(hash, row)).digest('hex')
    const { organizationId: organization_id, actor, action, outcome, at } = row
    await insert('audit', { sequence, at, actor, action, outcome, organization_id, hash })
  }
  await database.close()
}
