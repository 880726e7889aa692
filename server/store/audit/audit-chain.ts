/**
 * How the rows of the audit log are chained: by a digest under a key that lies in the store sealed, so that someone who can write
 * to the database and does not have the master key cannot make rows that fit.
 */
import { createHmac, createSecretKey } from 'node:crypto'
import { GENESIS } from '../../domain/audit.ts'

export interface Head {
  sequence: number
  hash: string
}

/** Where the chain begins. */
export const START: Head = { sequence: 0, hash: GENESIS }

/** Returns the hexadecimal digest by which a row is chained. */
export type AuditChain = (text: string) => string

export function auditChain(key: Uint8Array): AuditChain {
  const secret = createSecretKey(key)
  return (text) => createHmac('sha256', secret).update(`${VERSION}\n${text}`).digest('hex')
}

/** Every digested text begins with this version; another order of the fields requires another version. */
const VERSION = 'countersign audit 2'
