/** Digests a session id for storage; the id cannot be derived from it. */
import { createHash } from 'node:crypto'

/** SHA-256, hexadecimal. */
export const digestOf = (sessionId: string): string => sha256(sessionId).toString('hex')

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
