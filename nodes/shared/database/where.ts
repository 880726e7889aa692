/** Where the queue of a node is: in a SQLite file, or in a database that several Node-REDs share. */
import type { Statement } from './calls.ts'
import type { SharedDatabase } from './shared-database.ts'

/** The path of a file, or the name of a queue in a shared database. */
export type Where = string | SharedQueue

export interface SharedQueue {
  database: SharedDatabase
  queue: string
  /** Optional; true for a queue whose messages one process at a time takes out, anyone who has put them there. */
  isOrdered?: boolean
}

/** Calls back from time to time while other processes may leave something to this one. Returns a function that ends it. */
export const onBeat = (where: Where, listener: () => void): (() => void) =>
  typeof where === 'string' ? () => {} : where.database.onBeat(listener)

/** Returns the numbers of a row as numbers: the database sends large ones as text. */
export const withNumbers = <Row extends object>(row: Row, names: readonly (keyof Row)[]): Row => {
  const numbers = names.map((name) => [name, row[name] === null ? null : Number(row[name])])
  return { ...row, ...Object.fromEntries(numbers) }
}

/** SQL for whether a row has a number that JavaScript keeps exactly: those of the sequence do, and any other would be read without end. */
export const IS_NUMBERED = `id BETWEEN 1 AND ${Number.MAX_SAFE_INTEGER}`

/** SQL for one more than a count, which cannot leave the range of its column and fail the statement for all rows. */
export const oneMore = (count: string): string => `least(${count}, 2147483646) + 1`

/** Returns the number that a text stands for; undefined when no row of a queue can have it. */
export function numberIn(text: string): number | undefined {
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** Runs one statement and returns its rows. */
export const rowsOf = (database: SharedDatabase, sql: string, values: readonly unknown[]): Record<string, unknown>[] =>
  database.call({ sql, values } satisfies Statement)[0]!.rows
