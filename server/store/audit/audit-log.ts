/** The audit log as it is kept: appended to in the transaction of each change, read in order, never altered. */
import { type Kysely, sql } from 'kysely'
import { type AuditEntry, type AuditRow, type ChainedRow, chained, chainFault } from '../../domain/audit.ts'
import { later } from '../sql/later.ts'
import type { Schema } from '../sql/schema.ts'
import { type AuditChain, type Head, START } from './audit-chain.ts'

export interface Appending {
  /** The transaction of the change. */
  db: Kysely<Schema>
  locksRows: boolean
  chain: AuditChain
}

/** Chains the entries to the end of the log. Belongs last in a transaction, because every other change waits for the end of the chain. */
export async function append({ db, locksRows, chain }: Appending, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  // Two processes must not continue the same row. SQLite has one writer; PostgreSQL lets them in one after the other.
  if (locksRows) await sql`SELECT pg_advisory_xact_lock(${CHAIN_LOCK})`.execute(db)
  let last = await headOf(db)
  const rows = entries.map((entry): ChainedRow => {
    const row = rowOf(entry, last.sequence + 1)
    const hash = chain.digestOf(row.sequence)(chained(last.hash, row))
    last = { sequence: row.sequence, hash }
    return { ...row, hash }
  })
  for (let from = 0; from < rows.length; from += PAGE)
    await later(db, db.insertInto('audit').values(rows.slice(from, from + PAGE)))
}

/** The newest row's place and hash: kept elsewhere, it proves later that nothing was cut off. */
export async function headOf(db: Kysely<Schema>): Promise<Head> {
  const query = db.selectFrom('audit').select(['sequence', 'hash']).orderBy('sequence', 'desc').limit(1)
  return (await query.executeTakeFirst()) ?? START
}

export interface ChainCheck {
  rows: number
  head: Head
  /** Up to this row the log is older than its key. 0 when all of it is keyed. */
  keyedAfter: number
  /** What does not fit, or null. */
  fault: string | null
}

export const auditLog = ({ db, chain }: Pick<Appending, 'db' | 'chain'>) => ({
  /** The rows in order, from the one after `after` on; read in pages, so that the length of the log does not matter. */
  rows: (after = 0) => rowsAfter(db, after),

  /**
   * Walks the whole chain. Without `kept` it finds every changed, added and removed row except rows cut off at the end: the
   * rest of such a log is a whole chain. With a head that was kept elsewhere it finds these too. Of rows that are older than
   * the key it finds what was changed since there is one.
   */
  verify: (kept?: Head) => verify(rowsAfter(db, 0), chain, kept),

  head: () => headOf(db),
})

async function* rowsAfter(db: Kysely<Schema>, after: number): AsyncGenerator<ChainedRow> {
  for (let last = after; ; ) {
    const page = await db
      .selectFrom('audit')
      .selectAll()
      .where('sequence', '>', last)
      .orderBy('sequence')
      .limit(PAGE)
      .execute()
    yield* page
    if (page.length < PAGE) return
    last = page[page.length - 1]!.sequence
  }
}

async function verify(rows: AsyncIterable<ChainedRow>, chain: AuditChain, kept?: Head): Promise<ChainCheck> {
  let previous = START
  let count = 0
  const { keyedAfter } = chain
  const checked = (fault: string | null): ChainCheck => ({
    rows: count,
    head: previous,
    keyedAfter: keyedAfter.sequence,
    fault,
  })
  const known = [
    { head: kept, source: 'the head that was kept' },
    { head: keyedAfter, source: 'the end of the rows that are older than the key of the log' },
  ]
  for await (const row of rows) {
    const { sequence, hash } = row
    const fault = chainFault(previous, row, chain.digestOf(sequence))
    if (fault) return checked(fault)
    const other = known.find(({ head }) => head?.sequence === sequence && head.hash !== hash)
    if (other) return checked(`row ${sequence} is not the one of ${other.source}`)
    previous = { sequence, hash }
    count++
  }
  const longer = known.find(({ head }) => head && head.sequence > previous.sequence)
  if (!longer) return checked(null)
  return checked(`the rows after ${previous.sequence}, up to ${longer.head!.sequence} of ${longer.source}, are missing`)
}

const rowOf = (entry: AuditEntry, sequence: number): AuditRow => ({
  sequence,
  at: entry.at.toISOString(),
  actor: entry.by.kind,
  actorId: entry.by.id,
  action: entry.action,
  outcome: entry.outcome ?? 'done',
  organizationId: entry.organizationId,
  taskId: entry.taskId ?? null,
  subject: entry.subject === undefined ? null : String(entry.subject),
  requestId: entry.by.requestId ?? null,
  ip: entry.by.ip ?? null,
})

const PAGE = 500
/** Any number that nothing else in the database locks by. */
export const CHAIN_LOCK = 7_203_114
