/**
 * Changes the password of someone who is signed in. Asks for the old one, so that someone who finds a page open cannot take the
 * account over, and ends every other session.
 */
import { type Clock, timeOf } from '../../lib/clock.ts'
import type { Actor, AuditAction } from '../domain/audit.ts'
import { Refusal, TooMany } from '../domain/refusal.ts'
import type { Visitor } from '../store/directory/people.ts'
import type { Store } from '../store/store.ts'
import { hashPassword, matchesPassword } from './password.ts'
import { passwordProblem } from './password-problem.ts'
import { digestOf } from './session-digest.ts'
import { ofOwnPassword } from './sign-in-buckets.ts'

export interface PasswordChange {
  /** The one that is valid now. */
  current: string
  password: string
}

/** Refuses with `invalid` a wrong or a weak password, and with `tooMany` after too many wrong ones in the session. */
export type ChangePassword = (visitor: Visitor, sessionId: string, change: PasswordChange, by: Actor) => Promise<void>

interface OwnPasswordParts {
  store: Pick<Store, 'people' | 'signInTries' | 'audit'>
  clock: Clock
}

export function ownPassword({ store, clock }: OwnPasswordParts): ChangePassword {
  const mustKnow = knowsPassword({ store, clock })
  return async (visitor, sessionId, { current, password }, by) => {
    const at = timeOf(clock)
    await mustKnow(visitor, sessionId, current, 'account.password', by)
    const problem = await passwordProblem(password, visitor)
    if (problem) throw new Refusal('invalid', problem)
    await store.people.setPassword(visitor.personId, await hashPassword(password), at, by, digestOf(sessionId))
  }
}

/** Refuses someone who is signed in and does not know the password. `action` is what the audit log says was tried. */
export const knowsPassword =
  ({ store, clock }: OwnPasswordParts) =>
  async (visitor: Visitor, sessionId: string, current: string, action: AuditAction, by: Actor): Promise<void> => {
    const { personId: subject, organizationId } = visitor
    const buckets = ofOwnPassword(visitor.email, digestOf(sessionId))
    const waitMs = await store.signInTries.take(buckets, timeOf(clock))
    if (waitMs > 0)
      throw new TooMany(waitMs, 'current: wrong too often. Sign out, or ask an operator for a new password.')
    if (!(await matchesPassword(current, await store.people.passwordHashOf(subject)))) {
      await store.audit.append({ action, outcome: 'refused', by, at: timeOf(clock), organizationId, subject })
      throw new Refusal('invalid', 'current: not your password')
    }
    await store.signInTries.settle(buckets)
  }
