/** What every part of the store is given: the database, the cipher, and whom to tell that there is work. */
import type { Kysely, Transaction } from 'kysely'
import type { AuditEntry } from '../domain/audit.ts'
import type { AuditChain } from './audit/audit-chain.ts'
import { append } from './audit/audit-log.ts'
import type { Cipher } from './sealing/cipher.ts'
import type { Flavour } from './sql/flavour.ts'
import type { Patience } from './sql/patience.ts'
import type { Schema } from './sql/schema.ts'

export interface StoreContext extends Pick<Flavour, 'locksRows' | 'countOn'> {
  db: Kysely<Schema>
  cipher: Cipher
  chain: AuditChain
  /** Runs again what failed for now: see `sql/patience.ts`. */
  patiently: Patience['patiently']
  /** Called after the commit of a new task or a new event, so that a worker of this process need not wait for its next look. */
  announce(what: 'task' | 'event'): void
}

/** Inside a transaction, the same with the transaction as its database. */
export interface TransactionContext extends StoreContext {
  db: Transaction<Schema>
  /** Records what this transaction does in the audit log: as its last step, so that neither is written without the other. */
  audit(entry: AuditEntry): void
}

/**
 * Runs `work` in a transaction of its own, and returns what it returns. When it throws, nothing is written. It is run again when
 * the transaction did not commit for a reason that passes, so it decides purely, and what it does in memory comes after.
 */
export const inTransaction = <T>(context: StoreContext, work: (inside: TransactionContext) => Promise<T>): Promise<T> =>
  context.patiently(() =>
    context.db.transaction().execute(async (db) => {
      const entries: AuditEntry[] = []
      const inside: TransactionContext = { ...context, db, audit: (entry) => void entries.push(entry) }
      const result = await work(inside)
      await append(inside, entries)
      return result
    }),
  )
