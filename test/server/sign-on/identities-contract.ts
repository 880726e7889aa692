/** What the store keeps of single sign-on, as a part of its contract. */
import { expect } from 'chai'
import { OPERATOR } from '../../../server/domain/audit.ts'
import type { Store } from '../../../server/store/store.ts'
import { AT, later, type storesIn } from '../store/stores-in.ts'

const issuer = 'https://login.example.org/'
const identity = { issuer, subject: 'robin' }

export function keepsIdentities({ open }: ReturnType<typeof storesIn>): void {
  const person = async (store: Store, email: string) => {
    const facts = { email, name: 'Robin Hale', role: 'operator', npi: null, organizationId: null } as const
    return (await store.people.create({ ...facts, passwordHash: 'scrypt$' }, AT))!
  }
  const session = (store: Store, personId: number, digest: string, who = identity) =>
    store.sessions.openWithIdentity(who, personId, { digest, at: AT, expiresAt: later(60), ip: '192.0.2.1' })

  it('links an identity to one account and an account to one identity, even for two who try at once', async () => {
    const store = await open()
    const [robin, other] = [await person(store, 'robin@ops.example'), await person(store, 'other@ops.example')]
    const link = (subject: string, id: number) => store.identities.link({ issuer, subject }, id, AT, OPERATOR)
    expect(await Promise.all([link('robin', robin), link('robin', robin)])).to.deep.equal([true, true])
    expect(await Promise.all([link('robin', other), link('successor', robin)])).to.deep.equal([false, false])
    expect((await store.identities.accountOf(identity))?.personId).to.equal(robin)
    expect([...(await store.identities.linkedPeople())]).to.deep.equal([robin])
    expect(await store.identities.isLinked(robin, 'https://another.example.org/')).to.equal(false)
  })

  it('begins a session only for the account that the identity is linked to, and ends it with the link', async () => {
    const store = await open()
    const [robin, other] = [await person(store, 'robin@ops.example'), await person(store, 'other@ops.example')]
    await store.identities.link(identity, robin, AT, OPERATOR)
    expect(await session(store, other, 'of-other')).to.equal(false)
    expect(await session(store, robin, 'of-robin')).to.equal(true)
    expect(await store.sessions.cameFrom('of-robin', issuer)).to.equal(true)
    await store.identities.unlink(robin, null, AT, OPERATOR)
    expect(await store.sessions.find('of-robin', AT, later(-60))).to.equal(null)
    expect(await session(store, robin, 'once-more')).to.equal(false)
  })

  it('forgets the identity of an account that is removed, and lets in nobody who is disabled', async () => {
    const store = await open()
    const [robin, other] = [await person(store, 'robin@ops.example'), await person(store, 'other@ops.example')]
    await store.identities.link(identity, robin, AT, OPERATOR)
    await store.people.disable(robin, AT, OPERATOR)
    expect(await session(store, robin, 'of-robin')).to.equal(false)
    await store.people.remove(robin, AT, OPERATOR)
    expect(await store.identities.accountOf(identity)).to.equal(null)
    expect(await store.identities.link(identity, robin, AT, OPERATOR)).to.equal(false)
    expect(await store.identities.link(identity, other, AT, OPERATOR)).to.equal(true)
  })

  it('hands out a sign-in on its way to one of those who ask at the same time, and none that took too long', async () => {
    const store = await open()
    const attempt = { returnTo: '/inbox', earlierSession: null }
    await store.signOnAttempts.begin('first', attempt, AT, later(600))
    await store.signOnAttempts.begin('second', attempt, AT, later(600))
    const taken = await Promise.all([1, 2, 3].map(() => store.signOnAttempts.take('first', AT)))
    expect(taken.filter(Boolean)).to.deep.equal([attempt])
    expect(await store.signOnAttempts.take('second', later(600))).to.equal(null)
  })
}
