/** Writes whose result no one looks at: they may reach the database together with the next statement of their transaction. */
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * Does a write, at the latest with the commit of its transaction. What is wrong with it may only show in the next statement, or in
 * the commit, which is then none.
 */
export async function later(db: Kysely<Schema>, write: Compilable): Promise<void> {
  const query: Delayable = { ...write.compile(), mayWait: true }
  await db.executeQuery(query)
}

interface Delayable extends CompiledQuery {
  mayWait?: true
}

export const mayWait = (query: Delayable): boolean => query.mayWait === true
