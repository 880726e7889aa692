/** Templates that are offered no longer, while the tasks that were made with them continue. */
import { type Kysely, sql } from 'kysely'

export async function retiredTemplates(db: Kysely<never>): Promise<void> {
  await sql.raw('ALTER TABLE template ADD COLUMN retired_at text').execute(db)
}
