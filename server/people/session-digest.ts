/** What is kept of a session id: a digest, from which the id cannot be told. */
import { createHash } from 'node:crypto'

/** SHA-256, hexadecimal. */
export const digestOf = (sessionId: string): string => sha256(sessionId).toString('hex')

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
