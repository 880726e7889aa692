/** The audit log, and what the service keeps for itself. */
import type { ChainedRow } from '../../../domain/audit.ts'
import type { Sealed } from '../../sealing/cipher.ts'

export interface ServiceTables {
  /** Each row's hash covers the hash of the row before it. Rows are only ever added. */
  audit: ChainedRow
  /** What is to be done once to the database itself, after its schema has changed. */
  chore: { name: 'scrub' }
  /** Secrets of the service itself, by name. */
  keepsake: { name: string; sealed: Sealed; createdAt: string }
}
