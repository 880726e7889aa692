/**
 * Changes the password of somebody who is signed in. Asks for the old one, so that whoever finds a page open cannot take the
 * account over, and ends every other session.
 */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { SIGN_IN_WINDOW_MS, SIGN_INS_PER_ACCOUNT } from '../choices.ts'
import type { Actor } from '../domain/audit.ts'
import { Refusal, TooMany } from '../domain/refusal.ts'
import type { Visitor } from '../store/directory/people.ts'
import type { Store } from '../store/store.ts'
import { hashPassword, matchesPassword } from './password.ts'
import { passwordProblem } from './password-problem.ts'
import { digestOf } from './session-digest.ts'
import { createThrottle } from './throttle.ts'

export interface PasswordChange {
  /** The one that is valid now. */
  current: string
  password: string
}

/** Refuses with `invalid` a wrong or a weak password, and with `tooMany` after too many wrong ones in the session. */
export type ChangePassword = (visitor: Visitor, sessionId: string, change: PasswordChange, by: Actor) => Promise<void>

export function ownPassword({
  store,
  clock,
}: {
  store: Pick<Store, 'people' | 'audit'>
  clock: Clock
}): ChangePassword {
  // By session, not by account: guesses on a page that was left open must not keep the owner from changing it elsewhere.
  const tries = createThrottle({ clock, tries: SIGN_INS_PER_ACCOUNT, windowMs: SIGN_IN_WINDOW_MS })
  return async (visitor, sessionId, { current, password }, by) => {
    const { personId: id, organizationId } = visitor
    const session = digestOf(sessionId)
    const waitMs = tries.take(session)
    if (waitMs > 0)
      throw new TooMany(waitMs, 'current: wrong too often. Sign out, or ask an operator for a new password.')
    const at = timeOf(clock)
    if (!(await matchesPassword(current, await store.people.passwordHashOf(id)))) {
      await store.audit.append({ action: 'account.password', outcome: 'refused', by, at, organizationId, subject: id })
      throw new Refusal('invalid', 'current: not your password')
    }
    tries.forget(session)
    const problem = await passwordProblem(password, visitor)
    if (problem) throw new Refusal('invalid', problem)
    await store.people.setPassword(id, await hashPassword(password), at, by, session)
  }
}
