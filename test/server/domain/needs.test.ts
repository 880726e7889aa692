/** What an operator has to do, in sentences: each with its number, its age, and a place that it leads to. */
import { expect } from 'chai'
import { type NeedFacts, needsOf } from '../../../server/domain/needs.ts'

const NOW = new Date('2026-03-02T09:00:00.000Z')
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000).toISOString()
const nothing: NeedFacts = {
  reviews: { count: 0, oldest: null },
  paused: [],
  undelivered: [],
  failed: [],
  slow: [],
}
const sentences = (facts: Partial<NeedFacts>) => needsOf({ ...nothing, ...facts }, NOW).map(({ sentence }) => sentence)

describe('What needs an operator', () => {
  it('is nothing where nothing waits', () => {
    expect(needsOf(nothing, NOW)).to.deep.equal([])
  })

  it('is said with its number and its age', () => {
    expect(sentences({ reviews: { count: 1, oldest: hoursAgo(0.5) } })).to.deep.equal([
      '1 order waits for a review, the oldest for less than an hour.',
    ])
    for (const [hours, age] of [
      [1, '1 hour'],
      [47, '47 hours'],
      [48, '2 days'],
    ] as const)
      expect(sentences({ reviews: { count: 1, oldest: hoursAgo(hours) } })[0]).to.contain(`for ${age}.`)
    expect(sentences({ reviews: { count: 1_200, oldest: hoursAgo(18) } })).to.deep.equal([
      '1,200 orders wait for a review, the oldest for 18 hours.',
    ])
    const paused = { subscriptionId: 7, name: 'Willow archive', isDown: true, waiting: 412, oldest: hoursAgo(72) }
    expect(sentences({ paused: [paused] })).to.deep.equal([
      'Willow archive is paused because it is not responding: 412 callbacks wait, the oldest for 3 days.',
    ])
    expect(sentences({ paused: [{ ...paused, isDown: false, waiting: 0, oldest: null }] })).to.deep.equal([
      'Willow archive is paused because it is overloaded: 0 callbacks wait.',
    ])
    expect(sentences({ undelivered: [{ subscriptionId: 7, name: 'Fax', count: 2 }] })).to.deep.equal([
      'Fax did not accept 2 callbacks in the last 24 hours.',
    ])
  })

  it('says why orders failed, together in one sentence', () => {
    const failed = [
      { reason: 'unknownSigner', count: 3 },
      { reason: 'unreadable', count: 2 },
    ] as const
    expect(sentences({ failed })).to.deep.equal([
      '5 orders failed in the last 24 hours: unknown signer 3, returned to the sender 2.',
    ])
  })

  it('leads to the place, and offers a reminder only where one can be sent', () => {
    const slow = { npi: '9999900018', name: 'Ian Voss MD', count: 4, oldest: hoursAgo(24 * 9) }
    for (const mayRemind of [true, false]) {
      const [need] = needsOf({ ...nothing, slow: [{ ...slow, mayRemind }] }, NOW)
      expect(need).to.deep.equal({
        values: { name: 'Ian Voss MD', count: 4, oldest: slow.oldest },
        kind: 'slowSigner',
        sentence: 'Ian Voss MD has 4 orders older than three days, the oldest for 9 days.',
        route: 'tasks?status=Pending&signer=9999900018&older=3',
        remindNpi: mayRemind ? '9999900018' : null,
      })
    }
  })
})
