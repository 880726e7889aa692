/** The tables of an SQLite store as they are in SQL, for copying rows from one database to the other without knowing them. */
import type { DatabaseSync } from 'node:sqlite'

export interface Counter {
  table: string
  /** The column that the database counts up. */
  column: string
  /** The last number that was given away. */
  last: number
}

/** Returns the tables with what the service stores, each after the tables that its rows refer to. */
export function tablesIn(database: DatabaseSync): string[] {
  const names = namesOf(
    database,
    "name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE 'kysely!_%' ESCAPE '!'",
  ).filter((name) => !COUNTED_ANEW.includes(name))
  const parents = new Map(names.map((name) => [name, parentsOf(database, name)]))
  const ordered: string[] = []
  while (ordered.length < names.length) {
    const next = names.find((name) => !ordered.includes(name) && parents.get(name)!.every((it) => ordered.includes(it)))
    if (next === undefined) throw new Error('Tables refer to each other in a circle.')
    ordered.push(next)
  }
  return ordered
}

/** Triggers fill it while the rows are copied that it counts. */
const COUNTED_ANEW = ['work_count']

/** Returns the counters of tables whose ids are counted up. */
export function countersIn(database: DatabaseSync): Counter[] {
  const lastOf = database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?')
  const keyOf = database.prepare('SELECT name FROM pragma_table_info(?) WHERE pk = 1')
  return namesOf(database, "sql LIKE '%AUTOINCREMENT%'").map((table) => ({
    table,
    column: (keyOf.get(table) as { name: string }).name,
    last: (lastOf.get(table) as { seq: number } | undefined)?.seq ?? 0,
  }))
}

export function setCounter(database: DatabaseSync, { table, last }: Omit<Counter, 'column'>): void {
  database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table)
  database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, last)
}

/** Rows that are read or written at once: few where they hold documents. */
export const rowsAtOnce = (table: string): number => (table === 'document' ? 4 : 200)

const namesOf = (database: DatabaseSync, where: string): string[] =>
  database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND ${where} ORDER BY name`)
    .all()
    .map(({ name }) => name as string)

const parentsOf = (database: DatabaseSync, table: string): string[] =>
  database
    .prepare('SELECT DISTINCT "table" AS parent FROM pragma_foreign_key_list(?) WHERE "table" <> ?')
    .all(table, table)
    .map(({ parent }) => parent as string)
