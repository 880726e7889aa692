/**
 * After the master key has changed: wraps the data key of every sealed value anew, so that the old master key can be thrown
 * away. The values themselves are not sealed again. Can be stopped and begun again at any time, beside a running service.
 */
import { sql } from 'kysely'
import { templateOwner } from './catalog.ts'
import { inTransaction, type StoreContext } from './context.ts'
import { type DocumentKind, documentOwner } from './documents.ts'
import { fieldsOwner, reviewOwner } from './ingestion.ts'
import { keepsakeOwner } from './keepsakes.ts'
import { patientOwner } from './patients.ts'
import { signatureOwner } from './signer-inbox.ts'
import { descriptionOwner, secretOwner, urlOwner } from './subscriptions.ts'
import { eventOwner, notesOwner, requestOwner } from './tasks.ts'

/** What rows are known by, in one table or another; of each row only `key` and `also` are read. */
interface SealedRow {
  id: number
  name: string
  npi: string
  organization_id: number
  external_id_index: string
  task_id: number
  kind: DocumentKind
  event_id: string
}

interface SealedColumn {
  table: string
  column: string
  /** What identifies a row. */
  key: readonly (keyof SealedRow)[]
  also?: readonly (keyof SealedRow)[]
  /** Rows of one transaction; fewer where they are large. */
  atOnce?: number
  /** What the value is bound to. */
  owner(row: SealedRow): string
}

/**
 * Every place where something sealed is kept. The keepsakes come last: a store opens when one of them does, so that the new
 * key alone opens it only after everything else was brought under that key.
 */
export const SEALED: readonly SealedColumn[] = [
  {
    table: 'patient',
    column: 'sealed',
    key: ['id'],
    also: ['organization_id', 'external_id_index'],
    owner: (row) => patientOwner(row.organization_id, row.external_id_index),
  },
  { table: 'task', column: 'sealed_request', key: ['id'], owner: ({ id }) => requestOwner(id) },
  { table: 'task', column: 'sealed_notes', key: ['id'], owner: ({ id }) => notesOwner(id) },
  { table: 'task', column: 'sealed_fields', key: ['id'], owner: ({ id }) => fieldsOwner(id) },
  { table: 'task', column: 'sealed_review', key: ['id'], owner: ({ id }) => reviewOwner(id) },
  {
    table: 'document',
    column: 'sealed',
    key: ['task_id', 'kind'],
    atOnce: 4,
    owner: ({ task_id, kind }) => documentOwner(task_id, kind),
  },
  {
    table: 'template',
    column: 'sealed',
    key: ['id'],
    also: ['organization_id'],
    owner: ({ organization_id, id }) => templateOwner(organization_id, id),
  },
  ...(
    [
      ['sealed_secret', secretOwner],
      ['sealed_url', urlOwner],
      ['sealed_description', descriptionOwner],
    ] as const
  ).map(
    ([column, ownerOf]): SealedColumn => ({
      table: 'subscription',
      column,
      key: ['id'],
      also: ['organization_id'],
      owner: ({ organization_id, id }) => ownerOf(organization_id, id),
    }),
  ),
  { table: 'event', column: 'sealed_body', key: ['event_id'], owner: ({ event_id }) => eventOwner(event_id) },
  { table: 'saved_signature', column: 'sealed', key: ['npi'], owner: ({ npi }) => signatureOwner(npi) },
  { table: 'keepsake', column: 'sealed', key: ['name'], owner: ({ name }) => keepsakeOwner(name) },
]

/** Says how many values were wrapped anew. Rejects where one is sealed under a key that was not given. */
export async function rewrapAll(context: StoreContext): Promise<number> {
  let rewrapped = 0
  for (const place of SEALED)
    for (let count = 1; count > 0; rewrapped += count) count = await rewrapSome(context, place)
  return rewrapped
}

const rewrapSome = (
  context: StoreContext,
  { table, column, key, also = [], atOnce = ROWS_AT_ONCE, owner }: SealedColumn,
): Promise<number> =>
  inTransaction(context, async ({ db, cipher, locksRows }) => {
    const columns = sql.join([...key, ...also].map((name) => sql.ref(name)))
    const { rows } = await sql<SealedRow & { sealed_value: Uint8Array }>`
      SELECT ${columns}, ${sql.ref(column)} AS sealed_value FROM ${sql.table(table)}
      WHERE substr(${sql.ref(column)}, 1, ${cipher.header.length}) <> ${cipher.header}
      LIMIT ${atOnce} ${locksRows ? sql`FOR UPDATE` : sql``}`.execute(db)
    for (const row of rows) {
      const value = cipher.rewrap(row.sealed_value, owner(row))
      const isRow = sql.join(
        key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
        sql` AND `,
      )
      await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${value} WHERE ${isRow}`.execute(db)
    }
    return rows.length
  })

/** A little at a time: whoever waits for the database in between is let in. */
const ROWS_AT_ONCE = 100
