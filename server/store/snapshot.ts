/**
 * Keeps what a sender did on a sandbox at one moment, and brings it back. The rows are kept as they are, sealed, in the memory of this
 * process. Rows that grant access are in no snapshot: the audit log vouches for them, and it is never taken back.
 */
import type { Actor } from '../domain/audit.ts'
import { Refusal } from '../domain/refusal.ts'
import { inTransaction, type StoreContext } from './context.ts'
import { removeAll } from './reset.ts'

const OF_ORGANIZATION = ['patient', 'patientAlias', 'task', 'savedDocument', 'event', 'delivery'] as const
const OF_TASKS = ['document', 'taskTerm', 'inboxRequest'] as const
/** Each after the tables that its rows refer to. */
const TABLES = [...OF_ORGANIZATION, ...OF_TASKS, 'attempt'] as const
type Table = (typeof TABLES)[number]

type Row = Readonly<Record<string, unknown>>

/** The rows that one organization had made until a moment. */
export interface Snapshot {
  rows: ReadonlyMap<Table, readonly Row[]>
  tasks: number
  bytes: number
}

/** Bounds the memory of one snapshot. */
const MOST_TASKS = 2_000
const MOST_BYTES = 128 * 1024 * 1024
/** The memory that a row of an attempt takes, in bytes. */
const ROW_BYTES = 1_000
/** SQLite takes at most 32,766 values in a statement; documents are large. */
const ROWS_AT_ONCE = 200
const DOCUMENTS_AT_ONCE = 4

/** Refuses with `conflict` what is too large to be kept, and documents in an object storage, which would be removed in the meantime. */
export const takeSnapshot = (context: StoreContext, organizationId: number): Promise<Snapshot> =>
  inTransaction(context, async ({ db }) => {
    const { count } = await db
      .selectFrom('task')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('organizationId', '=', organizationId)
      .executeTakeFirstOrThrow()
    if (Number(count) > MOST_TASKS)
      throw new Refusal('conflict', `There are ${count} tasks; a snapshot holds up to ${MOST_TASKS}. Reset first.`)
    const ids = (table: 'task' | 'delivery') =>
      db.selectFrom(table).select('id').where('organizationId', '=', organizationId)
    const { documents } = await db
      .selectFrom('document')
      .select(({ fn }) => fn.sum<number | null>('bytes').as('documents'))
      .where('taskId', 'in', ids('task'))
      .executeTakeFirstOrThrow()
    // A callback has a row for each attempt, so a few tasks may have very many.
    const { attempts } = await db
      .selectFrom('attempt')
      .select(({ fn }) => fn.countAll().as('attempts'))
      .where('deliveryId', 'in', ids('delivery'))
      .executeTakeFirstOrThrow()
    const { texts } = await db
      .selectFrom('task')
      .select(({ fn }) => fn.sum<number | null>(fn('length', ['sealedRequest'])).as('texts'))
      .where('organizationId', '=', organizationId)
      .executeTakeFirstOrThrow()
    const bytes = Number(documents ?? 0) + Number(texts ?? 0) + Number(attempts) * ROW_BYTES
    if (bytes > MOST_BYTES)
      throw new Refusal(
        'conflict',
        'Documents and webhooks are too large for a snapshot. Reset, or send fewer of them.',
      )
    const rows = new Map<Table, readonly Row[]>()
    for (const table of OF_ORGANIZATION)
      rows.set(table, await db.selectFrom(table).selectAll().where('organizationId', '=', organizationId).execute())
    for (const table of OF_TASKS)
      rows.set(table, await db.selectFrom(table).selectAll().where('taskId', 'in', ids('task')).execute())
    rows.set('attempt', await db.selectFrom('attempt').selectAll().where('deliveryId', 'in', ids('delivery')).execute())
    if (rows.get('document')!.some(({ object }) => object !== null))
      throw new Refusal('conflict', 'Documents in an object storage are in no snapshot. Start the sandbox without one.')
    return { rows, tasks: Number(count), bytes }
  })

/** Removes what the organization did since, and brings back what it did before. */
export const restoreSnapshot = (
  context: StoreContext,
  organizationId: number,
  { rows }: Snapshot,
  by: Actor,
  at: Date,
): Promise<void> =>
  inTransaction(context, async (inside) => {
    await removeAll(inside, organizationId, at)
    for (const table of TABLES) {
      const all = rows.get(table) ?? []
      const most = table === 'document' ? DOCUMENTS_AT_ONCE : ROWS_AT_ONCE
      for (let first = 0; first < all.length; first += most)
        await inside.db
          .insertInto(table as 'task')
          .values(all.slice(first, first + most) as never)
          .execute()
    }
    inside.audit({ action: 'sandbox.restore', by, at, organizationId })
  })
