/**
 * Changes the second factor of someone who is signed in. Asks for the password where there is none yet, and otherwise for a fresh
 * code, so that someone who finds a page open can neither take the account over nor lay it open.
 */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { SIGN_IN_STEP_MS } from '../../choices.ts'
import type { Actor } from '../../domain/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { mustHaveOne, type RequiredOf } from '../../domain/second-factor.ts'
import type { Visitor } from '../../store/directory/people.ts'
import type { SecondFactor } from '../../store/sign-in/second-factors.ts'
import type { Code } from '../../store/sign-in/spend.ts'
import type { Store } from '../../store/store.ts'
import { knowsPassword } from '../own-password.ts'
import { digestOf } from '../session-digest.ts'
import { ofOwnCode } from '../sign-in-buckets.ts'
import { SECRET_BYTES } from './authenticator.ts'
import { appCode, codeOf } from './code.ts'
import { limitCodes } from './limit-codes.ts'
import { newRecoveryCodes, written } from './recovery-codes.ts'
import { notOfSecret } from './second-step.ts'
import { type ShownOffer, shownOffer } from './shown-offer.ts'

/** Who is signed in, and in which session. */
export interface Self {
  visitor: Visitor
  sessionId: string
  by: Actor
}

/** Proof that the owner is at the page: the password, or a code of the present second factor. */
export type Proof = { current: string } | { code: string }

export interface OwnSecondFactor {
  of(visitor: Visitor): Promise<SecondFactor & { isRequired: boolean }>
  /** Makes a secret to be confirmed in the same session. Refuses with `invalid` a wrong proof, and with `tooMany` after too many. */
  offer(self: Self, proof: Proof): Promise<ShownOffer>
  /** Makes the secret the second factor with a first code of it, ends every other session, and resolves with the recovery codes. */
  enrol(self: Self, code: string): Promise<string[]>
  /**
   * Renews the recovery codes, by a fresh code; ends every other session. Resolves with the new codes; the earlier ones no
   * longer work.
   */
  renewCodes(self: Self, code: string): Promise<string[]>
  /** Turns the second factor off, by a fresh code; ends every other session. Refuses with `conflict` when one is required. */
  turnOff(self: Self, code: string): Promise<void>
}

export interface OwnSecondFactorParts {
  store: Pick<Store, 'people' | 'secondFactors' | 'signInTries' | 'audit'>
  clock: Clock
  /** Decides which codes are right, even when a sandbox's clock is ahead. */
  realClock: Clock
  random(bytes: number): Uint8Array
  requiredOf: RequiredOf
}

export function ownSecondFactor({
  store,
  clock,
  realClock,
  random,
  requiredOf,
}: OwnSecondFactorParts): OwnSecondFactor {
  const limit = limitCodes({ store, clock })
  const mustKnow = knowsPassword({ store, clock })
  const { secondFactors } = store

  const withCode = ({ visitor, sessionId, by }: Self, entered: string, use: (code: Code) => Promise<boolean>) => {
    const { personId: subject, organizationId, email } = visitor
    const code = codeOf(entered, timeOf(realClock))
    return limit(ofOwnCode(email, digestOf(sessionId)), { by, organizationId, subject }, code, use)
  }

  return {
    async of({ personId, role }) {
      return { ...(await secondFactors.of(personId)), isRequired: mustHaveOne(requiredOf, role) }
    },
    async offer(self, proof) {
      const { visitor, sessionId, by } = self
      const { isOn } = await secondFactors.of(visitor.personId)
      const secret = random(SECRET_BYTES)
      const keep = (code: Code | null) => {
        const at = timeOf(clock)
        const expiresAt = new Date(at.getTime() + SIGN_IN_STEP_MS)
        const holder = digestOf(sessionId)
        return secondFactors.offer({ personId: visitor.personId, holder, secret, code, at, expiresAt, by })
      }
      if ('code' in proof) await withCode(self, proof.code, keep)
      else {
        if (!visitor.hasPassword) throw hasNoPassword()
        if (isOn) throw needsCode()
        await mustKnow(visitor, sessionId, proof.current, 'second-factor.enrol', by)
        // There may be one by now.
        if (!(await keep(null))) throw needsCode()
      }
      return shownOffer(secret, visitor.email)
    },
    async enrol({ visitor, sessionId, by }, entered) {
      const recoveryCodes = newRecoveryCodes(random)
      const code = appCode(entered, timeOf(realClock))
      const holder = digestOf(sessionId)
      const at = timeOf(clock)
      if (!(await secondFactors.enrol({ personId: visitor.personId, holder, code, recoveryCodes, at, by })))
        throw notOfSecret()
      return recoveryCodes.map(written)
    },
    async renewCodes(self, entered) {
      const recoveryCodes = newRecoveryCodes(random)
      const { visitor, sessionId, by } = self
      const change = { personId: visitor.personId, recoveryCodes, by, keep: digestOf(sessionId) }
      await withCode(self, entered, (code) => secondFactors.renewCodes({ ...change, code, at: timeOf(clock) }))
      return recoveryCodes.map(written)
    },
    async turnOff(self, entered) {
      const { visitor, sessionId, by } = self
      if (mustHaveOne(requiredOf, visitor.role))
        throw new Refusal('conflict', 'A second factor is required here. You can replace it.')
      const change = { personId: visitor.personId, by, keep: digestOf(sessionId) }
      await withCode(self, entered, (code) => secondFactors.turnOff({ ...change, code, at: timeOf(clock) }))
    },
  }
}

const needsCode = () =>
  new Refusal('conflict', 'code: you have a second factor already; enter a code of it, or a recovery code')

const hasNoPassword = () =>
  new Refusal('conflict', 'This account has no password, so its sign-in asks for no second factor here.')
