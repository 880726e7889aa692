/** The audit log as it is kept: appended to in the transaction of each change, read in order, never altered. */
import { type Kysely, sql } from 'kysely'
import { type AuditEntry, type AuditRow, type ChainedRow, chained, chainFault } from '../../domain/audit.ts'
import type { Schema } from '../sql/schema.ts'
import { type AuditChain, type Head, START } from './audit-chain.ts'

export interface Appending {
  /** The transaction of the change. */
  db: Kysely<Schema>
  locksRows: boolean
  chain: AuditChain
}

/** Chains the entries to the end of the log. The last statements of a transaction, because everybody waits for the end of the chain. */
export async function append({ db, locksRows, chain }: Appending, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  // Two processes must not continue the same row. SQLite has one writer; PostgreSQL lets them in one after the other.
  if (locksRows) await sql`SELECT pg_advisory_xact_lock(${CHAIN_LOCK})`.execute(db)
  let last = await headOf(db)
  const rows = entries.map((entry): Schema['audit'] => {
    const row: AuditRow = {
      sequence: last.sequence + 1,
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
    }
    last = { sequence: row.sequence, hash: chain.digestOf(row.sequence)(chained(last.hash, row)) }
    const { actorId, organizationId, taskId, requestId, ...rest } = row
    return { ...rest, actorId, organizationId, taskId, requestId, hash: last.hash }
  })
  for (let from = 0; from < rows.length; from += PAGE)
    await db
      .insertInto('audit')
      .values(rows.slice(from, from + PAGE))
      .execute()
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

export function auditLog({ db, chain }: Pick<Appending, 'db' | 'chain'>) {
  async function* rows(after = 0): AsyncGenerator<ChainedRow> {
    for (let last = after; ; ) {
      const page = await db
        .selectFrom('audit')
        .selectAll()
        .where('sequence', '>', last)
        .orderBy('sequence')
        .limit(PAGE)
        .execute()
      for (const row of page) yield read(row)
      if (page.length < PAGE) return
      last = page[page.length - 1]!.sequence
    }
  }

  return {
    /** The rows in order, after the one of that number; read in pages, so that the length of the log does not matter. */
    rows,

    /**
     * Walks the whole chain. Without `kept` it finds every changed, added and removed row except rows cut off at the end: the
     * rest of such a log is a whole chain. With a head that was kept elsewhere it finds these too. Of rows that are older than
     * the key it finds what was changed since there is one.
     */
    async verify(kept?: Head): Promise<ChainCheck> {
      let previous: Head = START
      let count = 0
      const { keyedAfter } = chain
      const checked = (fault: string | null): ChainCheck => ({
        rows: count,
        head: { sequence: previous.sequence, hash: previous.hash },
        keyedAfter: keyedAfter.sequence,
        fault,
      })
      const known = [
        { head: kept, source: 'the head that was kept' },
        { head: keyedAfter, source: 'the end of the rows that are older than the key of the log' },
      ]
      for await (const row of rows()) {
        const fault = chainFault(previous, row, chain.digestOf(row.sequence))
        if (fault) return checked(fault)
        const other = known.find(({ head }) => head?.sequence === row.sequence && head.hash !== row.hash)
        if (other) return checked(`row ${row.sequence} is not the one of ${other.source}`)
        previous = row
        count++
      }
      for (const { head, source } of known)
        if (head && head.sequence > previous.sequence)
          return checked(`the rows after ${previous.sequence}, up to ${head.sequence} of ${source}, are missing`)
      return checked(null)
    },

    head: () => headOf(db),
  }
}

const read = ({ actorId, organizationId, taskId, requestId, ...rest }: Schema['audit']): ChainedRow => ({
  ...rest,
  actorId,
  organizationId,
  taskId,
  requestId,
})

const PAGE = 500
/** Any number that nothing else in the database locks by. */
export const CHAIN_LOCK = 7_203_114
