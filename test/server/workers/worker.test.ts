/** When a worker looks for work, with nothing but its clock. */
import { expect } from 'chai'
import { createWorker, type Worker } from '../../../server/workers/worker.ts'
import { FakeClock } from '../../support/fake-clock.ts'

describe('a worker', () => {
  let clock: FakeClock
  let worker: Worker
  let looks: number[]
  let work: string[]
  let due: Date | null
  let isAway: boolean

  beforeEach(() => {
    clock = new FakeClock(0)
    looks = []
    work = []
    due = null
    isAway = false
    worker = createWorker<string>({
      clock,
      slots: 1,
      lookEveryMs: 2000,
      async claim() {
        looks.push(clock.now() / 1000)
        if (isAway) throw new Error('The store is away.')
        return work.splice(0, 1)
      },
      run: async () => {},
      nextDue: async () => due,
      onFault: () => {},
    })
    worker.start()
  })
  afterEach(() => worker.stop())

  /** Lets the clock run, and each look end. */
  async function seconds(count: number): Promise<void> {
    for (let step = 0; step < count; step++) {
      await new Promise(setImmediate)
      clock.advance(1000)
    }
    await new Promise(setImmediate)
  }

  it('looks ever more seldom while it finds nothing, and never pauses for more than eight times as long', async () => {
    await seconds(62)
    expect(looks).to.deep.equal([0, 2, 6, 14, 30, 46, 62])
    expect(worker.health().lateAfterMs).to.be.greaterThan(16_000)
  })

  it('looks often again once it was woken, or has found something', async () => {
    await seconds(31)
    worker.wake()
    await seconds(7)
    expect(looks).to.deep.equal([0, 2, 6, 14, 30, 31, 33, 37])
    work.push('an order')
    await seconds(12)
    // It looks once more when it has taken something, and when that is done.
    expect([...new Set(looks)].slice(8)).to.deep.equal([45, 47])
  })

  it('sleeps no longer than until the next is due', async () => {
    await seconds(31)
    due = new Date(50_000)
    await seconds(20)
    expect(looks.slice(0, 7)).to.deep.equal([0, 2, 6, 14, 30, 46, 50])
  })

  it('looks often while the store is away', async () => {
    await seconds(31)
    isAway = true
    await seconds(20)
    expect(looks).to.deep.equal([0, 2, 6, 14, 30, 46, 48, 50])
  })
})
