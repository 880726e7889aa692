/**
 * After the master key has changed: wraps the data key of every sealed value again, so that the old master key can be thrown
 * away. The values themselves are not sealed again. Can be stopped and begun again at any time, alongside a running service.
 */
import { sql } from 'kysely'
import type { DocumentKind } from '../domain/task/document-kind.ts'
import { inTransaction, type StoreContext } from './context.ts'
import { bindings } from './sealing/bindings.ts'

/** The keys of rows, in one table or another; of each row only `key` and `also` are read. */
interface SealedRow {
  id: number
  name: string
  npi: string
  personId: number
  organizationId: number
  externalIdIndex: string
  taskId: number
  templateId: number
  kind: DocumentKind
  eventId: string
}

interface SealedColumn {
  table: string
  column: string
  /** The columns that identify a row. */
  key: readonly (keyof SealedRow)[]
  also?: readonly (keyof SealedRow)[]
  /** Rows of one transaction; fewer where they are large. */
  atOnce?: number
  /** Returns the text that the value is bound to. */
  binding(row: SealedRow): string
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
    also: ['organizationId', 'externalIdIndex'],
    binding: (row) => bindings.patient(row.organizationId, row.externalIdIndex),
  },
  { table: 'task', column: 'sealedRequest', key: ['id'], binding: ({ id }) => bindings.taskRequest(id) },
  { table: 'task', column: 'sealedNotes', key: ['id'], binding: ({ id }) => bindings.taskTexts(id) },
  { table: 'task', column: 'sealedFields', key: ['id'], binding: ({ id }) => bindings.taskFields(id) },
  { table: 'task', column: 'sealedReview', key: ['id'], binding: ({ id }) => bindings.taskReview(id) },
  { table: 'task', column: 'sealedDecision', key: ['id'], binding: ({ id }) => bindings.taskDecision(id) },
  {
    table: 'document',
    column: 'sealed',
    key: ['taskId', 'kind'],
    atOnce: 4,
    binding: ({ taskId, kind }) => bindings.document(taskId, kind),
  },
  {
    table: 'template',
    column: 'sealed',
    key: ['id'],
    also: ['organizationId'],
    binding: ({ organizationId, id }) => bindings.template(organizationId, id),
  },
  {
    table: 'templateSample',
    column: 'sealed',
    key: ['templateId'],
    atOnce: 4,
    binding: ({ templateId }) => bindings.templateSample(templateId),
  },
  ...(
    [
      ['sealedSecret', bindings.subscriptionSecret],
      ['sealedNextSecret', bindings.subscriptionNextSecret],
      ['sealedUrl', bindings.subscriptionUrl],
      ['sealedDescription', bindings.subscriptionDescription],
    ] as const
  ).map(
    ([column, bindingOf]): SealedColumn => ({
      table: 'subscription',
      column,
      key: ['id'],
      also: ['organizationId'],
      binding: ({ organizationId, id }) => bindingOf(organizationId, id),
    }),
  ),
  {
    table: 'event',
    column: 'sealedBody',
    key: ['eventId'],
    also: ['organizationId'],
    binding: ({ eventId, organizationId }) => bindings.event(eventId, organizationId),
  },
  {
    table: 'secondFactor',
    column: 'sealedSecret',
    key: ['personId'],
    binding: ({ personId }) => bindings.secondFactor(personId),
  },
  {
    table: 'secondFactorOffer',
    column: 'sealedSecret',
    key: ['personId'],
    binding: ({ personId }) => bindings.secondFactorOffer(personId),
  },
  { table: 'savedSignature', column: 'sealed', key: ['npi'], binding: ({ npi }) => bindings.signature(npi) },
  { table: 'keepsake', column: 'sealed', key: ['name'], binding: ({ name }) => bindings.keepsake(name) },
]

/** Says how many values were rewrapped. Rejects where one is sealed under a key that was not given. */
export async function rewrapAll(context: StoreContext): Promise<number> {
  let rewrapped = 0
  for (const place of SEALED)
    for (let count = 1; count > 0; rewrapped += count) count = await rewrapSome(context, place)
  return rewrapped
}

const rewrapSome = (
  context: StoreContext,
  { table, column, key, also = [], atOnce = ROWS_AT_ONCE, binding }: SealedColumn,
): Promise<number> =>
  inTransaction(context, async ({ db, cipher, locksRows }) => {
    const columns = sql.join([...key, ...also].map((name) => sql.ref(name)))
    const { rows } = await sql<SealedRow & { sealedValue: Uint8Array }>`
      SELECT ${columns}, ${sql.ref(column)} AS sealed_value FROM ${sql.table(table)}
      WHERE substr(${sql.ref(column)}, 1, ${cipher.header.length}) <> ${cipher.header}
      LIMIT ${atOnce} ${locksRows ? sql`FOR UPDATE` : sql``}`.execute(db)
    for (const row of rows) {
      const value = cipher.rewrap(row.sealedValue, binding(row))
      const isRow = sql.join(
        key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
        sql` AND `,
      )
      await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${value} WHERE ${isRow}`.execute(db)
    }
    return rows.length
  })

/** A little at a time: others who wait for the database are let in between. */
const ROWS_AT_ONCE = 100
