/** How many passwords are checked at once, and how many may wait for that. */
import { expect } from 'chai'
import { systemClock } from '../../../lib/clock.ts'
import { PASSWORDS } from '../../../server/choices.ts'
import { Busy } from '../../../server/domain/refusal.ts'
import { createEntrance, type EntranceParts } from '../../../server/people/entrance.ts'
import { matchesPassword, refuseWhenCrowded } from '../../../server/people/password.ts'
import type { Origin } from '../../../server/people/signed-in.ts'

/** Made with the least cost, so that it is the number that counts. */
const CHEAP = `scrypt$2$8$1$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`
const MOST = PASSWORDS.atOnce + PASSWORDS.waiting

describe('passwords that are checked at once', () => {
  it('are refused beyond a number, whatever the account, and are checked again when the others are done', async () => {
    const checked = Array.from({ length: MOST }, () => matchesPassword('a password', CHEAP))
    const refusal = await matchesPassword('a password', null).catch((failure: unknown) => failure)
    expect(refusal).to.be.instanceOf(Busy)
    expect((refusal as Busy).message).to.equal('Too many passwords are being checked. Try again in 5 seconds.')
    expect(refuseWhenCrowded).to.throw(Busy)
    expect(new Set(await Promise.all(checked))).to.deep.equal(new Set([false]))
    expect(await matchesPassword('a password', CHEAP)).to.equal(false)
  })

  it('refuse a sign-in before it is counted as a try', async () => {
    const counted: string[] = []
    const store = {
      people: { findForSignIn: async () => null },
      signInTries: { take: async () => counted.push('a try') && 0 },
      audit: { append: async () => {} },
    }
    const devices = { recognise: async () => ({ digest: null, knownTo: [] }) }
    const passwords = { allowsAny: true }
    const entrance = createEntrance({ store, devices, passwords, clock: systemClock } as unknown as EntranceParts)
    const signIn = () =>
      entrance.signIn('ann@example.org', 'a password', { address: '192.0.2.1' } as Origin).catch(({ kind }) => kind)
    const checked = Array.from({ length: MOST }, () => matchesPassword('a password', CHEAP))
    expect([await signIn(), counted]).to.deep.equal(['unavailable', []])
    await Promise.all(checked)
    expect([await signIn(), counted]).to.deep.equal(['signedOut', ['a try']])
  })
})
