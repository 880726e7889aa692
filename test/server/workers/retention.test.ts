/** When the worker that tidies up makes its rounds. What it removes is tested with the store. */
import { expect } from 'chai'
import { StoreAway } from '../../../server/domain/store-refusals.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { createRetention } from '../../../server/workers/delivery/retention.ts'
import { eventually } from '../../support/eventually.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const MINUTE_MS = 60_000

describe('the worker that tidies up', () => {
  let store: Store
  let clock: FakeClock
  let rounds: number
  let isAway: boolean
  let faults: unknown[]
  beforeEach(async () => {
    store = await openStore(':memory:', Buffer.alloc(32))
    clock = new FakeClock()
    rounds = 0
    isAway = false
    faults = []
  })
  afterEach(() => store.close())

  const aWorker = () => {
    const outbox: Store['outbox'] = {
      ...store.outbox,
      async giveUpOlderThan(before, at) {
        rounds++
        if (isAway) throw new StoreAway(2_000)
        await store.outbox.giveUpOlderThan(before, at)
      },
    }
    const onFault = (fault: unknown) => faults.push(fault)
    return createRetention({ store: { ...store, outbox }, clock, retainDays: undefined, onFault })
  }
  /** Puts the clock forward, once the round before has ended, and returns how many rounds there were by then. */
  const roundsAfter = async (ms: number) => {
    await eventually(() => expect(clock.timers).to.equal(1))
    clock.advance(ms)
    await eventually(() => expect(clock.timers).to.equal(1))
    return rounds
  }

  it('does so every hour', async () => {
    const worker = aWorker()
    worker.start()
    expect(await roundsAfter(60 * MINUTE_MS - 1)).to.equal(1)
    expect(await roundsAfter(1)).to.equal(2)
    await worker.stop()
    expect(faults).to.deep.equal([])
  })

  it('does so again after a minute when it failed, until it succeeds', async () => {
    isAway = true
    const worker = aWorker()
    worker.start()
    expect(await roundsAfter(MINUTE_MS)).to.equal(2)
    expect(worker.health().sinceRoundMs).to.equal(null)
    isAway = false
    expect(await roundsAfter(MINUTE_MS)).to.equal(3)
    expect(worker.health()).to.include({ sinceRoundMs: 0, sinceFaultMs: MINUTE_MS })
    expect(await roundsAfter(MINUTE_MS)).to.equal(3)
    await worker.stop()
    expect(faults).to.have.length(2)
  })
})
