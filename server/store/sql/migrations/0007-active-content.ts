/**
 * Adds each organization's treatment of active content, and the changes that preparing a document made; older documents have
 * none.
 */
import { type Kysely, sql } from 'kysely'

export async function activeContent(db: Kysely<never>): Promise<void> {
  for (const statement of [
    "ALTER TABLE organization ADD COLUMN javascript text NOT NULL DEFAULT 'strip'",
    "ALTER TABLE organization ADD COLUMN open_action text NOT NULL DEFAULT 'strip'",
    "ALTER TABLE organization ADD COLUMN embedded_files text NOT NULL DEFAULT 'strip'",
    "ALTER TABLE task ADD COLUMN received_sha256 text NOT NULL DEFAULT ''",
    "ALTER TABLE task ADD COLUMN preparations text NOT NULL DEFAULT '[]'",
    `UPDATE task SET received_sha256 =
       (SELECT sha256 FROM document WHERE document.task_id = task.id AND document.kind = 'received')
       WHERE EXISTS (SELECT 1 FROM document WHERE document.task_id = task.id AND document.kind = 'received')`,
  ])
    await sql.raw(statement).execute(db)
}
