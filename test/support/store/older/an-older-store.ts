/** A store as it was before texts and URLs were sealed and before the audit log had a key, with rows as they were written then. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type AuditRow, chained, GENESIS } from '../../../../server/domain/audit.ts'
import { atMigration } from './at-migration.ts'

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
  const { db, cipher, insert, close } = await atMigration(data, masterKey, '0005-retired-templates')
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
  await sql`DELETE FROM subscription WHERE url <> ${OLDER.url}`.execute(db)
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
  await close()
}
