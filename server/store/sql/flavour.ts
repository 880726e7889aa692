/** The differences between the two databases, and what they have in common. Types only. */
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'
import type { StoreQueue } from './store-queue.ts'
import type { Surroundings, WakeUps } from './wake-ups.ts'

/** The differences between the two databases. */
export interface Flavour {
  /** Type of a column of ids that the database counts up. */
  serial: string
  blob: string
  /** Makes the first id of a table. */
  startAt(db: Kysely<never>, table: string, first: number): Promise<void>
  /** After rows were inserted with ids of their own, lets the database count on after the largest. `table` as it is in SQL. */
  countOn(db: Kysely<Schema>, table: 'document_type' | 'template'): Promise<void>
  /** Makes the next id of a table, which must be greater than those in it. `table` as it is in SQL. */
  countFrom(db: Kysely<Schema>, table: string, next: number): Promise<void>
  /** Rows that one of several processes works on are skipped by the others. SQLite has one writer, so there it is not needed. */
  locksRows: boolean
}

/** A database as it was opened: of any schema, with the names of tables and columns as they are in SQL. */
export interface Opened extends Flavour {
  db: Kysely<never>
  /** How long statements wait for a connection. */
  queue: Pick<StoreQueue, 'state'>
  /** Does what may take longer than a call may, such as a change of the schema. */
  unhurried<T>(work: (db: Kysely<never>) => Promise<T>): Promise<T>
  /** Lets go of what was deleted and is still in files alongside the database. */
  forget(): Promise<void>
  /** Writes all that is committed into a file, which is empty or not there yet. Only SQLite can; elsewhere rows are copied. */
  vacuumInto?(file: string): Promise<void>
  /** Null where there are no other instances to be notified of work. */
  wakeUps(surroundings: Surroundings): WakeUps | null
  close(): Promise<void>
}

/** The same with its schema up to date. */
export interface Database extends Omit<Opened, 'db'> {
  db: Kysely<Schema>
}
