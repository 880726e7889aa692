/** What receivers are spared: by the breaker while they are down, and by a rate. Their events lose nothing by that. */
import { expect } from 'chai'
import { answers, aRoughReceiver, type RoughReceiver } from '../../support/network/rough-receiver.ts'
import { aDispatch, type TestDispatch } from '../../support/store/a-dispatch.ts'

const EVENTS = 60

describe('a receiver whose callbacks are limited to a rate', () => {
  it('gets a minute’s worth at once, then each when its time comes, and other receivers do not wait for it', async () => {
    const dispatch = await aDispatch({ perMinute: 6 })
    const [busy, idle] = await Promise.all([1, 2].map(() => aRoughReceiver({ behave: answers(204) })))
    /** What each has got once all was sent that may be. */
    const taken = async () => {
      await dispatch.allIsSent()
      return { busy: busy!.taken.length, idle: idle!.taken.length }
    }
    try {
      await dispatch.subscribe(busy!.url)
      await dispatch.happensOften(9)
      while ((await dispatch.store.outbox.fanOut(new Date(dispatch.clock.now()), 99)) > 0);
      dispatch.dispatcher.start()
      expect(await taken()).to.deep.equal({ busy: 6, idle: 0 })
      dispatch.clock.advance(9_999)
      expect(await taken()).to.deep.equal({ busy: 6, idle: 0 })
      dispatch.clock.advance(1)
      expect(await taken()).to.deep.equal({ busy: 7, idle: 0 })

      await dispatch.subscribe(idle!.url)
      await dispatch.happens()
      expect(await taken()).to.deep.equal({ busy: 7, idle: 1 })
      dispatch.clock.advance(30_000)
      expect(await taken()).to.deep.equal({ busy: 10, idle: 1 })
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

  /** How often it was called, once it has been called as often as it may be. */
  const calls = async () => {
    await dispatch.allIsSent()
    return receiver.taken.length
  }
  const tried = async () => {
    const all = await dispatch.store.deliveries.list({ subscriptionId }, EVENTS)
    return all.filter(({ attempts }) => attempts > 0).length
  }

  it('is not called while its breaker is open, then once to see, and its events use up no attempts meanwhile', async () => {
    // Ten failures open it; up to five more were under way at that moment.
    const atFirst = await calls()
    expect(atFirst).to.be.within(10, 15)
    dispatch.clock.advance(29_999)
    expect(await calls()).to.equal(atFirst)
    dispatch.clock.advance(1)
    expect(await calls(), 'one probe').to.equal(atFirst + 1)
    dispatch.clock.advance(59_999)
    expect(await calls(), 'twice as long').to.equal(atFirst + 1)
    dispatch.clock.advance(1)
    expect(await calls()).to.equal(atFirst + 2)
    expect(await tried()).to.be.at.most(atFirst + 2)
  })

  it('gets everything once it is back, each event once', async () => {
    const atFirst = await calls()
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
