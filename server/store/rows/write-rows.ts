/**
 * Writes authenticated rows, with their MACs. A row is checked before it is changed, so that a change never makes one genuine that
 * was not.
 */
import {
  type DeleteQueryBuilder,
  type Insertable,
  type Kysely,
  type SelectQueryBuilder,
  sql,
  type Updateable,
} from 'kysely'
import { Refusal } from '../../domain/refusal.ts'
import {
  type AnyRow,
  type AuthenticatedName,
  authenticated,
  rowId,
  type StoredRow,
} from '../sql/authenticated-tables.ts'
import type { Schema } from '../sql/schema.ts'
import { genuine, type RowMacs } from './row-macs.ts'

/** The transaction that writes. */
interface Inside {
  db: Kysely<Schema>
  rows: RowMacs
  locksRows: boolean
  /** Called with each row as it is afterwards, without a MAC where it was deleted. */
  wrote(table: AuthenticatedName, row: AnyRow): void
}

type NewRow<T extends AuthenticatedName> = Omit<Insertable<Schema[T]>, 'mac'>

/** Adds a row and returns it; undefined when one with the same id or address exists, which stays as it is. */
export async function addRow<T extends AuthenticatedName>(
  inside: Inside,
  table: T,
  row: NewRow<T>,
): Promise<StoredRow<T> | undefined> {
  const { isCounted = false } = authenticated(table)
  const values = { ...row, mac: isCounted ? '' : inside.rows.of(table, row as AnyRow) }
  const added = await inside.db
    .insertInto(table as 'person')
    .values(values as never)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!added) return undefined
  // The database has given it an id and what it has by default.
  if (isCounted) return write(inside, table, added as AnyRow)
  inside.wrote(table, added as AnyRow)
  return added as unknown as StoredRow<T>
}

/** Changes the rows that `where` finds, and returns them as they are then. Refuses one that is not genuine. */
export async function changeRows<T extends AuthenticatedName>(
  inside: Inside,
  table: T,
  where: (rows: SelectQueryBuilder<Schema, T, StoredRow<T>>) => SelectQueryBuilder<Schema, T, StoredRow<T>>,
  change: Updateable<Schema[T]> | ((row: StoredRow<T>) => Updateable<Schema[T]>),
): Promise<StoredRow<T>[]> {
  const all = inside.db.selectFrom(table as 'person').selectAll() as unknown as SelectQueryBuilder<
    Schema,
    T,
    StoredRow<T>
  >
  const found = authenticated(table).key.reduce((rows, name) => rows.orderBy(sql.ref(name)), where(all))
  const changed: StoredRow<T>[] = []
  for (const stored of await (inside.locksRows ? found.forNoKeyUpdate() : found).execute()) {
    const row = genuine(inside, table, stored as AnyRow)
    if (!row) throw new Refusal('conflict', `${whatIs(table, stored as AnyRow)}; it is refused until it is restored.`)
    const set = typeof change === 'function' ? change(row) : change
    changed.push(await write(inside, table, { ...row, ...set }))
  }
  return changed
}

const whatIs = (table: AuthenticatedName, row: AnyRow) =>
  `${table} ${rowId(table, row)} was changed in the database without the master key`

/** Adds a row as `addRow` does, where nothing like it can exist. */
export async function addNewRow<T extends AuthenticatedName>(
  inside: Inside,
  table: T,
  row: NewRow<T>,
): Promise<StoredRow<T>> {
  const added = await addRow(inside, table, row)
  if (!added) throw new Error(`A row of ${table} exists already.`)
  return added
}

/** Deletes the rows that `where` finds, and returns how many there were. */
export async function deleteRows<T extends AuthenticatedName>(
  inside: Pick<Inside, 'db' | 'wrote'>,
  table: T,
  where: (rows: DeleteQueryBuilder<Schema, T, object>) => DeleteQueryBuilder<Schema, T, object>,
): Promise<number> {
  const all = inside.db.deleteFrom(table as 'person') as unknown as DeleteQueryBuilder<Schema, T, object>
  const rows = await where(all).returningAll().execute()
  for (const row of rows) inside.wrote(table, { ...(row as AnyRow), mac: null })
  return rows.length
}

async function write<T extends AuthenticatedName>(inside: Inside, table: T, row: AnyRow): Promise<StoredRow<T>> {
  const { key } = authenticated(table)
  const written = { ...row, mac: inside.rows.of(table, row) }
  const values = Object.fromEntries(Object.entries(written).filter(([name]) => !key.includes(name)))
  let update = inside.db.updateTable(table as 'person').set(values)
  for (const name of key) update = update.where(sql.ref(name), '=', row[name])
  await update.execute()
  inside.wrote(table, written)
  return written as unknown as StoredRow<T>
}
