/** The clock of a sandbox reaches its target however long the work on the way takes; only the answer does not wait for it. */
import { expect } from 'chai'
import { createTimeTravel } from '../../../server/sandbox/time-travel.ts'
import { createVirtualClock } from '../../../server/sandbox/virtual-clock.ts'
import { eventually } from '../../support/eventually.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const DAY_MS = 86_400_000

describe('time that is let pass', () => {
  /** A worker with something due each hour, whose work takes a minute of real time. */
  function aTravel() {
    const realClock = new FakeClock()
    const clock = createVirtualClock(realClock)
    const kept: number[] = []
    const carried: number[] = []
    let settled = 0
    let forgotten = 0
    const worker = {
      async settle() {
        settled++
        realClock.advance(60_000)
        await new Promise(setImmediate)
      },
      nextDue: async () => new Date(clock.now() + 3_600_000),
    }
    const travel = createTimeTravel({
      clock,
      realClock,
      workers: [worker],
      keep: async (aheadMs) => void kept.push(aheadMs),
      carryAlong: async (ms) => void carried.push(ms),
      startOver: () => void forgotten++,
    })
    return { clock, travel, kept, carried, settledTimes: () => settled, forgottenTimes: () => forgotten }
  }

  it('is answered before it is there, and continues to the target', async () => {
    const { clock, travel, kept, carried } = aTravel()
    const target = clock.now() + 30 * DAY_MS
    await travel.advance(30 * DAY_MS)
    expect(travel.target).to.equal(target)
    expect(clock.now()).to.be.below(target)
    await eventually(async () => expect(travel.target).to.equal(null))
    expect(clock.now()).to.be.at.least(target)
    expect(carried).to.deep.equal([30 * DAY_MS])
    expect(kept.length, 'stored on the way').to.be.greaterThan(2)
    expect(kept.at(-1)).to.equal(clock.aheadMs)
  })

  it('adds a second journey to the first', async () => {
    const { clock, travel } = aTravel()
    const began = clock.now()
    await travel.advance(10 * DAY_MS)
    await travel.advance(DAY_MS)
    expect(travel.target).to.equal(began + 11 * DAY_MS)
    await eventually(async () => expect(travel.target).to.equal(null))
    expect(clock.now()).to.be.at.least(began + 11 * DAY_MS)
  })

  it('goes back to the real time, with the sessions, in the middle of a journey too', async () => {
    const { clock, travel, kept, carried, forgottenTimes } = aTravel()
    await travel.advance(30 * DAY_MS)
    const ahead = clock.aheadMs
    let calls = 0
    clock.after(60_000, () => void calls++)
    await travel.goBack()
    expect([clock.aheadMs, travel.target, kept.at(-1), forgottenTimes()]).to.deep.equal([0, null, 0, 1])
    expect(carried.at(-1)).to.be.at.most(-ahead)
    // A timer falls due as long after that as it would have.
    const target = clock.now() + 60_000
    clock.jumpTo(target)
    expect(calls).to.equal(1)
  })
})
