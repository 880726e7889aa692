/** The context of every part of the store: the database, the cipher, and the callbacks for new work. */
import type { Kysely, Transaction } from 'kysely'
import type { AuditEntry } from '../domain/audit.ts'
import type { DocumentsPlace } from '../domain/bucket-place.ts'
import type { AuditChain } from './audit/audit-chain.ts'
import { append } from './audit/audit-log.ts'
import type { Bucket } from './bucket/bucket.ts'
import type { WrittenRow } from './rows/check-rows.ts'
import type { RowMacs } from './rows/row-macs.ts'
import type { Cipher } from './sealing/cipher.ts'
import { type AnyRow, type AuthenticatedName, authenticated, rowId } from './sql/authenticated-tables.ts'
import type { Flavour } from './sql/flavour.ts'
import type { Patience } from './sql/patience.ts'
import type { Schema } from './sql/schema.ts'

export interface StoreContext extends Pick<Flavour, 'locksRows' | 'countOn' | 'countFrom'> {
  db: Kysely<Schema>
  cipher: Cipher
  chain: AuditChain
  /** The MACs of rows that decide who may do what. */
  rows: RowMacs
  /** Runs again what failed for now: see `sql/patience.ts`. */
  patiently: Patience['patiently']
  /** Alongside the database; null without one. */
  bucket: Bucket | null
  newDocumentsIn: DocumentsPlace
  /**
   * Hands the bytes of an object to `use`; null when the bucket has none of this name. Inside a transaction, what was not fetched
   * before ends the transaction, which is run again when it has come: no one waits for the network while holding rows.
   */
  fetch<T>(name: string, bytes: number, use: (object: Buffer | null) => Promise<T>): Promise<T>
  /**
   * Tells of a new task or a new event, so that a worker of this process need not wait for its next look. Inside a transaction, what is
   * announced is told after the commit.
   */
  announce(what: Announced): void
}

export type Announced = 'task' | 'event'

/** Inside a transaction, the same with the transaction as its database. */
export interface TransactionContext extends StoreContext {
  db: Transaction<Schema>
  /** Records what this transaction does in the audit log: as its last step, so that neither is written without the other. */
  audit(entry: AuditEntry): void
  /** Keeps with the entry what it says of an authenticated row: its MAC, null where the row was deleted. */
  wrote(table: AuthenticatedName, row: AnyRow): void
}

/**
 * Runs `work` in a transaction, that of the context or one of its own, and returns what it returns. When it throws, nothing is
 * written. It is run again when the transaction did not commit for a reason that passes, so it decides purely, and what it does in
 * memory comes after.
 */
export const inTransaction = <T>(
  context: StoreContext,
  work: (inside: TransactionContext) => Promise<T>,
): Promise<T> => (isInside(context) ? work(context) : withFetched(context, new Map(), work))

const isInside = (context: StoreContext): context is TransactionContext => 'audit' in context

async function withFetched<T>(
  context: StoreContext,
  fetched: Fetched,
  work: (inside: TransactionContext) => Promise<T>,
): Promise<T> {
  try {
    return await once(context, fetched, work)
  } catch (failure) {
    if (!(failure instanceof Elsewhere)) throw failure
    const { object, bytes } = failure
    return context.fetch(object, bytes, (found) => withFetched(context, new Map([...fetched, [object, found]]), work))
  }
}

type Fetched = ReadonlyMap<string, Buffer | null>

/** Ends a transaction that needs an object. */
class Elsewhere extends Error {
  readonly object: string
  readonly bytes: number
  constructor(object: string, bytes: number) {
    super('This object has to be fetched first.')
    this.object = object
    this.bytes = bytes
  }
}

const once = <T>(
  context: StoreContext,
  fetched: Fetched,
  work: (inside: TransactionContext) => Promise<T>,
): Promise<T> =>
  context.patiently(async () => {
    const announced = new Set<Announced>()
    const result = await context.db.transaction().execute(async (db) => {
      const entries: AuditEntry[] = []
      const written = new Map<string, WrittenRow>()
      const inside: TransactionContext = {
        ...context,
        db,
        audit: (entry) => void entries.push(entry),
        wrote(table, row) {
          if (!authenticated(table).isLogged) return
          const id = rowId(table, row)
          written.set(`${table}/${id}`, [table, id, row.mac as string | null])
        },
        announce: (what) => void announced.add(what),
        async fetch(name, bytes, use) {
          const found = fetched.get(name)
          if (found === undefined) throw new Elsewhere(name, bytes)
          return use(found)
        },
      }
      const result = await work(inside)
      await append(inside, entries, [...written.values()])
      return result
    })
    for (const what of announced) context.announce(what)
    return result
  })
