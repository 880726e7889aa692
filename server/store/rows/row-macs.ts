/** The MACs of authenticated rows. */
import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type AliasedRawBuilder, sql } from 'kysely'
import type { Cipher } from '../sealing/cipher.ts'
import {
  type AnyRow,
  type AuthenticatedName,
  authenticated,
  rowId,
  type StoredRow,
} from '../sql/authenticated-tables.ts'

/** A row that was changed or added without the master key. Never says what is in it. */
export interface ChangedRow {
  /** The last three are bound in other ways: see `decisiveColumns` and `delivery/genuine.ts`. */
  table: AuthenticatedName | 'task' | 'event' | 'delivery'
  id: string
}

export interface RowMacs {
  of(table: AuthenticatedName, row: AnyRow): string
  isGenuine(table: AuthenticatedName, row: AnyRow): boolean
  ofDelivery(row: { eventId: string; organizationId: number; subscriptionId: number }): string
  /** Called with a row that is refused; with each one once. */
  report(row: ChangedRow): void
  /** Sets what `report` calls; one listener. */
  onChanged(listen: (row: ChangedRow) => void): void
}

/** Returns the MACs under a key that is derived from the key of the audit log, which the master key encrypts. */
export function rowMacs(auditKey: Uint8Array, { bodyOf }: Pick<Cipher, 'bodyOf'>): RowMacs {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', auditKey, '', 'countersign rows', 32)))
  const reported = new Set<string>()
  let listener = (_row: ChangedRow): void => {}
  const encodedOf = (value: unknown) =>
    value instanceof Uint8Array ? { encrypted: bodyOf(value).toString('base64') } : value
  const of = (table: AuthenticatedName, row: AnyRow): string => {
    const names = authenticated(table)
    const values = [...names.key, ...names.columns].map((name) => encodedOf(row[name]))
    return createHmac('sha256', key)
      .update(JSON.stringify([VERSION, table, ...values]))
      .digest('base64url')
  }
  return {
    of,
    isGenuine(table, row) {
      const [given, right] = [Buffer.from(String(row.mac)), Buffer.from(of(table, row))]
      return given.length === right.length && timingSafeEqual(given, right)
    },
    ofDelivery: ({ eventId, organizationId, subscriptionId }) =>
      createHmac('sha256', key)
        .update(JSON.stringify([VERSION, 'delivery', eventId, organizationId, subscriptionId]))
        .digest('base64url'),
    report(row) {
      const name = `${row.table}/${row.id}`
      if (reported.has(name)) return
      reported.add(name)
      listener(row)
    },
    onChanged(listen) {
      listener = listen
    },
  }
}

const VERSION = 'countersign row 1'

/** Where rows are checked. */
export interface Checking {
  rows: RowMacs
}

/** Returns the row when it is as the service wrote it; else null, and reports it. */
export function genuine<T extends AuthenticatedName>(
  { rows }: Checking,
  table: T,
  row: AnyRow | undefined,
): StoredRow<T> | null {
  if (!row) return null
  if (rows.isGenuine(table, row)) return row as StoredRow<T>
  rows.report({ table, id: rowId(table, row) })
  return null
}

/** Selects all that is authenticated of a table in a query with other tables: to be read with `joined`. */
export function whole(table: AuthenticatedName, alias: string): AliasedRawBuilder<unknown, '~row'>[] {
  return namesOf(table).map((name) => sql.ref(`${alias}.${name}`).as(prefixed(table, name) as '~row'))
}

/** Returns the row of one table of such a query when it is genuine; null when it is missing, or is not, which it reports. */
export function joined<T extends AuthenticatedName>(checking: Checking, table: T, row: object): StoredRow<T> | null {
  const values = row as AnyRow
  const names = namesOf(table)
  if (names.every((name) => values[prefixed(table, name)] === null)) return null
  return genuine(checking, table, Object.fromEntries(names.map((name) => [name, values[prefixed(table, name)]])))
}

function namesOf(table: AuthenticatedName): string[] {
  const { key, columns, free = {} } = authenticated(table)
  return [...key, ...columns, ...Object.keys(free), 'mac']
}

/** Has no part of one letter, which the translation of names would not give back. */
const prefixed = (table: string, name: string) => `${table}Row${name[0]!.toUpperCase()}${name.slice(1)}`
