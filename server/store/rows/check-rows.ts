/** Checks all authenticated rows: each by its MAC, and against the MAC that the audit log holds of its last version. */
import { type Kysely, sql } from 'kysely'
import {
  type AnyRow,
  AUTHENTICATED_NAMES,
  type AuthenticatedName,
  authenticated,
  isAuthenticated,
  rowId,
} from '../sql/authenticated-tables.ts'
import type { Schema } from '../sql/schema.ts'
import type { ChangedRow, Checking, RowMacs } from './row-macs.ts'

/** A fault of a row. `earlier`: it is a version that was replaced or deleted since. */
export interface RowFault extends ChangedRow {
  is: 'changed' | 'earlier' | 'removed'
}

/** A row as a transaction left it; without a MAC when it was deleted. */
export type WrittenRow = readonly [table: AuthenticatedName, id: string, mac: string | null]

/** The MAC of the last version of each row, by table and id, as the audit log holds it. */
export type LastVersions = Map<string, string | null>

/** Takes over what an entry of the audit log says of rows. */
export function follow(versions: LastVersions, written: string | null | undefined): void {
  if (!written) return
  for (const [table, id, mac] of JSON.parse(written) as WrittenRow[]) versions.set(`${table}/${id}`, mac)
}

/** Returns the rows that were changed or added without the master key, and the second factors that were removed. */
export async function changedRows(db: Kysely<Schema>, { rows }: Checking): Promise<ChangedRow[]> {
  const found: ChangedRow[] = []
  const lacking = new Set<string>()
  for (const table of AUTHENTICATED_NAMES)
    for await (const row of allOf(db, table)) {
      const id = rowId(table, row)
      if (!rows.isGenuine(table, row)) found.push({ table, id })
      else if (table === 'person' && row.hasSecondFactor === 1) lacking.add(id)
      if (table === 'secondFactor') lacking.delete(id)
    }
  for (const id of lacking) found.push({ table: 'secondFactor', id })
  return found
}

/** The rows that are not as the service wrote them last. */
export async function rowFaults(
  db: Kysely<Schema>,
  rows: RowMacs,
  versions: LastVersions,
): Promise<(RowFault & { mac: unknown })[]> {
  const found: (RowFault & { mac: unknown })[] = []
  const missing = new Map([...versions].filter(([, mac]) => mac !== null))
  for (const table of AUTHENTICATED_NAMES)
    for await (const row of allOf(db, table)) {
      const [id, { mac }] = [rowId(table, row), row]
      const name = `${table}/${id}`
      missing.delete(name)
      if (!rows.isGenuine(table, row)) found.push({ table, id, is: 'changed', mac })
      else if (authenticated(table).isLogged && versions.get(name) !== mac)
        found.push({ table, id, is: 'earlier', mac })
    }
  for (const name of missing.keys()) {
    const [table, id] = [name.slice(0, name.indexOf('/')), name.slice(name.indexOf('/') + 1)]
    if (isAuthenticated(table)) found.push({ table, id, is: 'removed', mac: null })
  }
  return found
}

/** In pages. */
export async function* allOf(db: Kysely<Schema>, table: AuthenticatedName): AsyncGenerator<AnyRow> {
  const key = authenticated(table).key
  const names = sql.join(key.map((name) => sql.ref(name)))
  for (let last: AnyRow | undefined; ; ) {
    const after = last && sql`WHERE (${names}) > (${sql.join(key.map((name) => last![name]))})`
    const page = await sql<AnyRow>`
      SELECT * FROM ${sql.table(table)} ${after ?? sql``} ORDER BY ${names} LIMIT ${PAGE}`.execute(db)
    yield* page.rows
    if (page.rows.length < PAGE) return
    last = page.rows.at(-1)
  }
}

const PAGE = 500
