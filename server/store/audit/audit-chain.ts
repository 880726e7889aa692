/**
 * How the rows of the audit log are chained: by a digest under a key that lies in the store sealed, so that someone who can write
 * to the database and does not have the master key cannot make rows that fit. Rows from before there was such a key are chained
 * by a plain digest; where they end was sealed together with the key.
 */
import { createHmac, createSecretKey, hash } from 'node:crypto'
import { GENESIS } from '../../domain/audit.ts'

export interface Head {
  sequence: number
  hash: string
}

/** Where the chain begins. */
export const START: Head = { sequence: 0, hash: GENESIS }

export interface AuditChain {
  /** The last row that is chained by a plain digest; the start when there is none. */
  keyedAfter: Head
  /** The hexadecimal digest that the row of that number is chained by. */
  digestOf(sequence: number): (text: string) => string
}

export function auditChain(key: Uint8Array, keyedAfter: Head): AuditChain {
  const secret = createSecretKey(key)
  const keyed = (text: string) => createHmac('sha256', secret).update(`${VERSION}\n${text}`).digest('hex')
  return { keyedAfter, digestOf: (sequence) => (sequence > keyedAfter.sequence ? keyed : plain) }
}

const plain = (text: string) => hash('sha256', text)
/** Every digested text begins with this version; another order of the fields requires another version. */
const VERSION = 'countersign audit 2'
