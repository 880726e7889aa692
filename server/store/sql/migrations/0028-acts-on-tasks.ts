/** Who ended a task is told from the audit log, which is never short. */
import { type Kysely, sql } from 'kysely'

export async function actsOnTasks(db: Kysely<never>): Promise<void> {
  await sql.raw('CREATE INDEX audit_task ON audit (task_id) WHERE task_id IS NOT NULL').execute(db)
}
