/** What every part of the store is given: the database, the cipher, and whom to tell that there is work. */
import type { Kysely, Transaction } from 'kysely'
import type { AuditEntry } from '../../domain/audit.ts'
import type { AuditChain } from '../audit/audit-chain.ts'
import { append } from '../audit/audit-log.ts'
import type { Cipher } from '../sealing/cipher.ts'
import type { Flavour } from './flavour.ts'
import type { Schema } from './schema.ts'

export interface StoreContext extends Pick<Flavour, 'locksRows' | 'countOn'> {
  db: Kysely<Schema>
  cipher: Cipher
  chain: AuditChain
  /** Called after the commit of a new task or a new event, so that a worker of this process need not wait for its next look. */
  announce(what: 'task' | 'event'): void
}

/** Inside a transaction, the same with the transaction as its database. */
export interface TransactionContext extends StoreContext {
  db: Transaction<Schema>
  /** Records what this transaction does in the audit log: as its last step, so that neither is written without the other. */
  audit(entry: AuditEntry): void
}

export const inTransaction = <T>(context: StoreContext, work: (inside: TransactionContext) => Promise<T>): Promise<T> =>
  context.db.transaction().execute(async (db) => {
    const entries: AuditEntry[] = []
    const inside: TransactionContext = { ...context, db, audit: (entry) => void entries.push(entry) }
    const result = await work(inside)
    await append(inside, entries)
    return result
  })

/** Seals a value as JSON, and opens it again. `binding` is one of `bindings`. */
export const sealJson = ({ cipher }: StoreContext, value: unknown, binding: string) =>
  cipher.seal(JSON.stringify(value), binding)
export const openJson = <T>({ cipher }: StoreContext, sealed: Uint8Array, binding: string): T =>
  JSON.parse(cipher.open(sealed, binding).toString('utf8')) as T

/**
 * What the rows hold. A row that does not open, as after damage on the disk, is told and left out: it must not keep all the
 * others from being worked on.
 */
export function readable<Row, T>(rows: readonly Row[], read: (row: Row) => T, onUnreadable: OnUnreadable): T[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)]
    } catch (fault) {
      onUnreadable(Object.assign(fault as Error, { code: 'UNREADABLE_ROW' }))
      return []
    }
  })
}
export type OnUnreadable = (fault: unknown) => void

export const flag = (value: boolean) => (value ? 1 : 0)
