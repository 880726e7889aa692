/**
 * The version that last changed the schema of the store. An older one does not know its tables; it finds the name of the version
 * here, and starts no work.
 */
import { type Kysely, sql } from 'kysely'
import { version } from '../../version.ts'
import { bindings } from '../sealing/bindings.ts'
import type { Cipher } from '../sealing/cipher.ts'
import type { Schema } from './schema.ts'

/** Throws with a sentence for the operator when a migration was run that is not among those `known`. */
export async function mustBeKnown(db: Kysely<Schema>, cipher: Cipher, known: readonly string[]): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
  if (rows.every(({ name }) => known.includes(name))) return
  const written = await writtenBy(db, cipher)
  // Between two releases, the number stays and the tables change.
  const newer = written === null || written === version ? 'a later build' : `version ${written}`
  throw new Error(
    `What is stored was written by ${newer} of Countersign, and this one (${version}) does not know its tables: use that one, or a later one.`,
  )
}

/** Keeps that this version brought the schema up to date. */
export async function keepWriter(db: Kysely<Schema>, cipher: Cipher): Promise<void> {
  const sealed = cipher.seal(JSON.stringify(version), bindings.keepsake(NAME))
  await db
    .insertInto('keepsake')
    // The store knows no clock, and no one asks how old this is.
    .values({ name: NAME, sealed, createdAt: new Date(0).toISOString() })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ sealed }))
    .execute()
}

/** Null until the schema was first brought up to date. */
export async function writtenBy(db: Kysely<Schema>, cipher: Cipher): Promise<string | null> {
  const row = await db.selectFrom('keepsake').select('sealed').where('name', '=', NAME).executeTakeFirst()
  return row ? (JSON.parse(cipher.open(row.sealed, bindings.keepsake(NAME)).toString('utf8')) as string) : null
}

const NAME = 'written by'
