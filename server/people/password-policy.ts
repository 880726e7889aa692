/** Who may sign in with a password, where there is single sign-on, too. choice: Passwords beside single sign-on */
import { Refusal } from '../domain/refusal.ts'
import type { Store } from '../store/store.ts'

/** `unlinked`: those whose account is linked to no identity at the provider. */
export type PasswordMode = 'on' | 'unlinked' | 'off'

export interface PasswordPolicy {
  /** False when no one may. */
  readonly allowsAny: boolean
  /** Whether this person may. Asked after the password, so that only its owner is told. */
  allows(personId: number): Promise<boolean>
  /** Returns the refusal for people who may not. */
  refusal(): Refusal
}

/** @param provider null without single sign-on; everybody then has a password */
export function passwordPolicy(
  store: Pick<Store, 'identities'>,
  mode: PasswordMode,
  provider: { name: string; issuer: string } | null,
): PasswordPolicy {
  const allowsAny = provider === null || mode !== 'off'
  return {
    allowsAny,
    async allows(personId) {
      if (provider === null || mode === 'on') return true
      return allowsAny && !(await store.identities.isLinked(personId, provider.issuer))
    },
    refusal: () =>
      new Refusal('signedOut', `Passwords are switched off for this account. Sign in with ${provider?.name}.`),
  }
}
