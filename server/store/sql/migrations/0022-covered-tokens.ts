/** Whether the text of tokens gives way to fields in the documents of an organization; where no one has said, it does. */
import { type Kysely, sql } from 'kysely'

export const coveredTokens = async (db: Kysely<never>): Promise<void> => {
  await sql.raw('ALTER TABLE organization ADD COLUMN covers_tokens integer NOT NULL DEFAULT 1').execute(db)
}
