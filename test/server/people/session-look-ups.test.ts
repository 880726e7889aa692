/** How often the store is asked for a session that many requests use at once. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { systemClock } from '../../../lib/clock.ts'

import { createEntrance, type EntranceParts } from '../../../server/people/entrance.ts'
import { digestOf } from '../../../server/people/session-digest.ts'
import { openStore } from '../../../server/store/store.ts'

describe('The look-up of a session', () => {
  it('is shared by a thousand requests at once, and asks again after the session has ended', async () => {
    let isOpen = true
    const asked = { find: 0, seen: 0 }
    const sessions = {
      find: async () => {
        asked.find += 1
        return isOpen ? { visitor: { personId: 7 }, seenAt: new Date(0) } : null
      },
      seen: async () => {
        asked.seen += 1
      },
    }
    const parts = { store: { sessions }, passwords: { allowsAny: true }, clock: systemClock }
    const entrance = createEntrance(parts as unknown as EntranceParts)
    const visitors = await Promise.all(Array.from({ length: 1000 }, () => entrance.visitorOf('a session')))
    expect(new Set(visitors.map((visitor) => visitor?.personId))).to.deep.equal(new Set([7]))
    expect(asked.find).to.equal(2)
    expect(asked.seen).to.be.at.most(4)

    const before = entrance.visitorOf('a session')
    isOpen = false
    expect(await entrance.visitorOf('a session')).to.equal(null)
    await before
  })

  it('does not wait for those of 2,000 sessions that are made up', async () => {
    const store = await openStore(':memory:', randomBytes(32))
    const visitor = { personId: 7 }
    let atOnce = 0
    let most = 0
    const sessions = {
      find: async (digest: string, at: Date, usedSince: Date) => {
        most = Math.max(most, ++atOnce)
        const found = await store.sessions.find(digest, at, usedSince)
        atOnce -= 1
        return found ?? (digest === digestOf('known') ? { visitor, seenAt: new Date() } : null)
      },
      seen: async () => {},
    }
    const parts = { store: { sessions }, passwords: { allowsAny: true }, clock: systemClock }
    const entrance = createEntrance(parts as unknown as EntranceParts)
    await entrance.visitorOf('known')
    let answered = 0
    const strangers = Array.from({ length: 2000 }, async (_, number) => {
      expect(await entrance.visitorOf(`made up ${number}`, { isUse: true, network: '198.51.100.1' })).to.equal(null)
      answered += 1
    })
    expect(await entrance.visitorOf('known', { isUse: true, network: '198.51.100.1' })).to.equal(visitor)
    expect(answered).to.be.lessThan(100)
    await Promise.all(strangers)
    // Those in line, and the known one.
    expect(most).to.be.at.most(10)
    await store.close()
  })
})
