/** The audit log, and what the service keeps for itself. */
import type { ColumnType } from 'kysely'
import type { ChainedRow } from '../../../domain/audit.ts'
import type { Sealed } from '../../sealing/cipher.ts'

export type CountName = 'ingesting' | 'inReview' | 'pending' | 'deliveriesWaiting' | 'deliveriesFailed'

export interface ServiceTables {
  /** Each row's hash covers the hash of the row before it. Rows are only ever added. */
  audit: ChainedRow & { written: string | null }
  /** A task to be done once to the database itself, after its schema has changed. */
  probe: { name: string }
  /** Each writes its row from time to time; rows of those that ended without a word are dropped later. */
  instance: {
    id: string
    /** Where it runs. */
    name: string
    version: string
    since: string
    seenAt: string
    /** JSON: how its workers were doing at `seenAt`. */
    workers: string
  }
  /** The requests of a sender's key on a day in UTC, YYYY-MM-DD. */
  keyUse: { keyId: string; day: string; requests: number }
  /** The remaining rate of a key; no row: all of it. */
  keyRate: { keyId: string; remaining: number; at: string }
  /** How much waits. A count is the sum of its rows, which triggers write with the tasks and deliveries that are counted. */
  workCount: { organizationId: number; name: CountName; count: ColumnType<number, never, never> }
  /** Secrets of the service itself, by name. */
  keepsake: { name: string; sealed: Sealed; createdAt: string }
}
