/** How often the store is asked for a session that many requests use at once. */
import { expect } from 'chai'
import { systemClock } from '../../../lib/clock.ts'
import { createEntrance, type EntranceParts } from '../../../server/people/entrance.ts'

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
})
