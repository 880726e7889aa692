/** Gives somebody a second factor in the store, without an app: any code is right, once. */
import { SERVICE } from '../../../server/domain/audit.ts'
import type { AppCode } from '../../../server/store/sign-in/spend.ts'
import type { Store } from '../../../server/store/store.ts'

const AT = new Date('2026-01-15T09:30:00.000Z')

/** A code of the step, right under any secret. */
export const codeOfStep = (step: number): AppCode => ({
  kind: 'app',
  stepOf: (_secret, last) => (step > last ? step : null),
})

/** @param secret of the second factor, and of an offer that would replace it */
export async function withSecondFactor(
  store: Store,
  personId: number,
  recoveryCodes: readonly string[] = ['a-recovery-code'],
  secret: Uint8Array = Buffer.alloc(20, 1),
): Promise<void> {
  const change = { personId, holder: 'a session', at: AT, by: SERVICE }
  const offer = { ...change, secret, expiresAt: new Date(AT.getTime() + 60_000) }
  await store.secondFactors.offer({ ...offer, code: null })
  if (!(await store.secondFactors.enrol({ ...change, code: codeOfStep(1), recoveryCodes })))
    throw new Error('not enrolled')
  await store.secondFactors.offer({ ...offer, code: codeOfStep(2) })
}
