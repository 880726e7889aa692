/** The audit log as it is kept: appended to in the transaction of each change, read in order, never altered. */
import { type Kysely, sql } from 'kysely'
import { type AuditEntry, type AuditRow, type ChainedRow, chained, chainFault } from '../../domain/audit.ts'
import { follow, type LastVersions, type RowFault, rowFaults, type WrittenRow } from '../rows/check-rows.ts'
import type { RowMacs } from '../rows/row-macs.ts'
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
export async function append(
  { db, locksRows, chain }: Appending,
  entries: readonly AuditEntry[],
  written: readonly WrittenRow[] = [],
): Promise<void> {
  if (entries.length === 0) {
    if (written.length > 0) throw new Error(`A change of ${written[0]![0]} is not in the audit log.`)
    return
  }
  // Two processes must not continue the same row. SQLite has one writer; PostgreSQL lets them in one after the other.
  if (locksRows) await sql`SELECT pg_advisory_xact_lock(${CHAIN_LOCK})`.execute(db)
  let last = await headOf(db)
  const rows = entries.map((entry, n) => {
    const isLast = n === entries.length - 1
    const row = rowOf(entry, last.sequence + 1, isLast && written.length > 0 ? JSON.stringify(written) : null)
    const hash = chain(chained(last.hash, row))
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
  /** The inconsistency, or null. */
  fault: string | null
}

/** The log, and the rows that it follows. */
export interface AuditCheck extends ChainCheck {
  /** The rows that are not as the service wrote them last; empty where the log itself is not whole. */
  rowFaults: RowFault[]
}

export const auditLog = ({ db, chain, rows }: Pick<Appending, 'db' | 'chain'> & { rows: RowMacs }) => ({
  /** The rows in order, from the one after `after` on; read in pages, so that the length of the log does not matter. */
  rows: (after = 0) => rowsAfter(db, after),

  /**
   * Walks the whole chain. Without `kept` it finds every changed, added and removed row except rows cut off at the end: the
   * rest of such a log is a whole chain. With a head that was kept elsewhere it finds these too. Where the log is whole, it also finds
   * authenticated rows that were changed, added, removed, or put back to an earlier version.
   */
  async verify(kept?: Head): Promise<AuditCheck> {
    const [check, first] = await followed(db, { chain, rows }, kept)
    if (first.length === 0) return { ...check, rowFaults: [] }
    // Rows that the service wrote between the two reads look wrong once; a real fault remains.
    const again = new Set((await followed(db, { chain, rows }, kept))[1].map((fault) => JSON.stringify(fault)))
    const lasting = first.filter((fault) => again.has(JSON.stringify(fault)))
    return { ...check, rowFaults: lasting.map(({ table, id, is }) => ({ table, id, is })) }
  },

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

async function followed(db: Kysely<Schema>, { chain, rows }: { chain: AuditChain; rows: RowMacs }, kept?: Head) {
  const versions: LastVersions = new Map()
  const check = await verify(rowsAfter(db, 0), chain, versions, kept)
  return [check, check.fault === null ? await rowFaults(db, rows, versions) : []] as const
}

async function verify(
  rows: AsyncIterable<ChainedRow>,
  chain: AuditChain,
  versions: LastVersions,
  kept?: Head,
): Promise<ChainCheck> {
  let previous = START
  let count = 0
  const checked = (fault: string | null): ChainCheck => ({ rows: count, head: previous, fault })
  for await (const row of rows) {
    const { sequence, hash } = row
    const fault = chainFault(previous, row, chain)
    if (fault) return checked(fault)
    if (kept?.sequence === sequence && kept.hash !== hash)
      return checked(`row ${sequence} is not the one of the head that was kept`)
    follow(versions, row.written)
    previous = { sequence, hash }
    count++
  }
  if (!kept || kept.sequence <= previous.sequence) return checked(null)
  return checked(`the rows after ${previous.sequence}, up to ${kept.sequence} of the head that was kept, are missing`)
}

const rowOf = (entry: AuditEntry, sequence: number, written: string | null): AuditRow & { written: string | null } => ({
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
  written,
})

const PAGE = 500
/** Any number that nothing else in the database locks by. */
export const CHAIN_LOCK = 7_203_114
