/** What receivers are spared: those that are down by the breaker, all by their rate; and what their events keep. */
import { expect } from 'chai'
import { answers, aRoughReceiver, type RoughReceiver } from '../../support/network/rough-receiver.ts'
import { aDispatch, type TestDispatch } from '../../support/store/a-dispatch.ts'

const EVENTS = 60

describe('a receiver that gets so many callbacks a minute', () => {
  it('gets the first at once, then each when its time comes, and the others do not wait for it', async () => {
    const dispatch = await aDispatch({ perMinute: 6 })
    const [busy, idle] = await Promise.all([1, 2].map(() => aRoughReceiver({ behave: answers(204) })))
    const delivered = async (count: number) => {
      await dispatch.until(
        async () => (await dispatch.store.deliveries.list({ states: ['delivered'] }, 99)).length >= count,
      )
      await new Promise((resolve) => setTimeout(resolve, 30))
      dispatch.dispatcher.wake()
      await new Promise((resolve) => setTimeout(resolve, 30))
      return busy!.taken.length
    }
    try {
      await dispatch.subscribe(busy!.url)
      await dispatch.happensOften(9)
      while ((await dispatch.store.outbox.fanOut(new Date(dispatch.clock.now()), 99)) > 0);
      dispatch.dispatcher.start()
      expect(await delivered(6)).to.equal(6)
      dispatch.clock.advance(9_999)
      expect(await delivered(6)).to.equal(6)
      dispatch.clock.advance(1)
      expect(await delivered(7)).to.equal(7)

      await dispatch.subscribe(idle!.url)
      await dispatch.happens()
      await delivered(8)
      expect([busy!.taken.length, idle!.taken.length]).to.deep.equal([7, 1])
      dispatch.clock.advance(30_000)
      await delivered(11)
      expect([busy!.taken.length, idle!.taken.length]).to.deep.equal([10, 1])
    } finally {
      await busy!.close()
      await idle!.close()
      await dispatch.stop()
    }
  })
})

describe('a receiver that is down', () => {
  let dispatch: TestDispatch
  let receiver: RoughReceiver
  let status: number
  let subscriptionId: number

  beforeEach(async () => {
    status = 500
    dispatch = await aDispatch()
    receiver = await aRoughReceiver({ behave: (response) => answers(status)(response), now: dispatch.clock.now })
    subscriptionId = (await dispatch.subscribe(receiver.url)).id
    await dispatch.happensOften(EVENTS)
    dispatch.dispatcher.start()
  })
  afterEach(async () => {
    await receiver.close()
    await dispatch.stop()
  })

  /** Long enough, in real time, for whatever would be sent now. */
  async function quiet() {
    for (let look = 0; look < 20; look++) {
      dispatch.dispatcher.wake()
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
  }
  const calls = async (count: number) => {
    await dispatch.until(() => receiver.taken.length >= count)
    await quiet()
    return receiver.taken.length
  }
  const tried = async () => {
    const all = await dispatch.store.deliveries.list({ subscriptionId }, EVENTS)
    return all.filter(({ attempts }) => attempts > 0).length
  }

  it('is not called while its breaker is open, then once to see, and its events burn no attempts meanwhile', async () => {
    // Ten failures open it; up to five more were under way at that moment.
    const atFirst = await calls(10)
    expect(atFirst).to.be.within(10, 15)
    dispatch.clock.advance(29_999)
    expect(await calls(atFirst)).to.equal(atFirst)
    dispatch.clock.advance(1)
    expect(await calls(atFirst + 1), 'one probe').to.equal(atFirst + 1)
    dispatch.clock.advance(59_999)
    expect(await calls(atFirst + 1), 'twice as long').to.equal(atFirst + 1)
    dispatch.clock.advance(1)
    expect(await calls(atFirst + 2)).to.equal(atFirst + 2)
    expect(await tried()).to.be.at.most(atFirst + 2)
  })

  it('gets everything once it is back, each event once', async () => {
    const atFirst = await calls(10)
    status = 204
    dispatch.clock.advance(30_000)
    await dispatch.until(async () => {
      // What had failed before the breaker opened waits for its own next attempt.
      dispatch.clock.advance(1_000)
      return (await dispatch.store.deliveries.list({ states: ['waiting'] }, 1)).length === 0
    })
    expect(receiver.taken).to.have.length(EVENTS + atFirst)
    const received = receiver.taken.slice(atFirst).map(({ headers }) => headers['x-service-event-id'])
    expect(new Set(received).size).to.equal(EVENTS)
  })
})
