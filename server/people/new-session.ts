/** A session that is about to begin. Its id is handed out once; only its digest is kept. */
import { SESSION_LIFE_MS } from '../choices.ts'
import type { SessionRow } from '../store/directory/sessions.ts'
import { digestOf } from './session-digest.ts'

const SESSION_BYTES = 32

/** @param ip network address of the visitor, for the audit log */
export function newSession(
  random: (bytes: number) => Uint8Array,
  at: Date,
  ip: string,
): { sessionId: string; session: SessionRow } {
  const sessionId = Buffer.from(random(SESSION_BYTES)).toString('base64url')
  const expiresAt = new Date(at.getTime() + SESSION_LIFE_MS)
  return { sessionId, session: { digest: digestOf(sessionId), at, expiresAt, ip } }
}
