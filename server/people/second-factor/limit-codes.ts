/** Slows down visitors who enter wrong codes, and leaves each in the audit log. */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { SIGN_IN_WINDOW_MS } from '../../choices.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import { Refusal, TooMany } from '../../domain/refusal.ts'
import type { Code } from '../../store/sign-in/spend.ts'
import type { Bucket } from '../../store/sign-in/tries.ts'
import type { Store } from '../../store/store.ts'
import { inWords } from '../in-words.ts'
import { createThrottle } from '../throttle.ts'

/** Who enters the code, and to whose account, for the audit log. */
export type Entered = Pick<AuditEntry, 'by' | 'organizationId' | 'subject'>

/** Refuses with `tooMany` after too many wrong codes in one of the buckets, and with `invalid` when `isRight` resolves with false. */
export type LimitCodes = (
  buckets: readonly Bucket[],
  who: Entered,
  code: Code,
  isRight: (code: Code) => Promise<boolean>,
) => Promise<void>

/** Digits alone were meant as a code of the app, however many they are. */
const problemOf = (code: Code): string =>
  code.kind === 'app' || /^\d*$/.test(code.text)
    ? 'code: not valid, or used before. Wait for the next one, then enter that.'
    : 'code: not one of your recovery codes, or used before. Each can be used once; enter another one.'

export function limitCodes({
  store,
  clock,
}: {
  store: Pick<Store, 'signInTries' | 'audit'>
  clock: Clock
}): LimitCodes {
  const audited = createThrottle({ clock, tries: 1, windowMs: SIGN_IN_WINDOW_MS })
  return async (buckets, who, code, isRight) => {
    const waitMs = await store.signInTries.take(buckets, timeOf(clock))
    const refused = { ...who, at: timeOf(clock), outcome: 'refused' } as const
    if (waitMs > 0) {
      // Once in each window, or the log could be filled.
      if (audited.take(String(who.subject)) === 0) await store.audit.append({ ...refused, action: 'session.throttle' })
      throw new TooMany(waitMs, `code: too many were wrong. Try again in ${inWords(waitMs)}.`)
    }
    if (!(await isRight(code))) {
      await store.audit.append({ ...refused, action: 'second-factor.check' })
      throw new Refusal('invalid', problemOf(code))
    }
    await store.signInTries.settle(buckets)
  }
}
