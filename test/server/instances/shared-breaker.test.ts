/** Two dispatchers on one PostgreSQL: what one finds out of a receiver spares the receiver calls of the other. */
import { expect } from 'chai'
import { answers, aRoughReceiver, type RoughReceiver } from '../../support/network/rough-receiver.ts'
import { aDispatch, type TestDispatch } from '../../support/store/a-dispatch.ts'
import { aPostgres, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'

const EVENTS = 40

describe('A receiver that is down, and two instances', function () {
  this.timeout(60_000)
  let postgres: TestPostgres | undefined
  let one: TestDispatch
  let two: TestDispatch
  let receiver: RoughReceiver
  let status: number
  let subscriptionId: number
  before(async () => {
    postgres = await aPostgres()
  })
  after(() => postgres?.stop())
  beforeEach(async () => {
    status = 500
    const data = await postgres!.database()
    one = await aDispatch({ data })
    two = await aDispatch({ data, clock: one.clock })
    receiver = await aRoughReceiver({ behave: (response) => answers(status)(response) })
    subscriptionId = (await one.subscribe(receiver.url)).id
    await one.happensOften(EVENTS)
  })
  afterEach(async () => {
    await receiver.close()
    await one.stop()
    await two.stop()
  })

  const calls = async (...of: TestDispatch[]) => {
    for (const dispatch of of) await dispatch.allIsSent()
    return receiver.taken.length
  }
  const spared = () => two.store.receivers.spared(new Date(one.clock.now()))

  it('is not called by the other, until a probe is due', async () => {
    one.dispatcher.start()
    const atFirst = await calls(one)
    expect(atFirst).to.be.within(10, 15)
    two.dispatcher.start()
    expect(await calls(one, two)).to.equal(atFirst)
    one.clock.advance(29_000)
    expect(await calls(one, two)).to.equal(atFirst)
    one.clock.advance(1_000)
    // Each may probe, where they look at the same moment.
    expect(await calls(one, two)).to.be.within(atFirst + 1, atFirst + 2)
    one.clock.advance(30_000)
    expect(await calls(one, two), 'the probe of one counts for both').to.be.at.most(atFirst + 2)
  })

  it('is known to be spared, and gets everything once a probe of either succeeds', async () => {
    one.dispatcher.start()
    await calls(one)
    const [found] = await spared()
    expect(found).to.include({ subscriptionId, organizationId: one.organizationId, isDown: true })
    expect(+found!.until - +found!.since).to.equal(30_000)
    expect(await two.store.receivers.spared(new Date(one.clock.now()), one.organizationId + 1)).to.deep.equal([])
    await one.dispatcher.stop()
    status = 204
    two.dispatcher.start()
    one.clock.advance(30_000)
    await two.until(async () => {
      one.clock.advance(1_000)
      return (await two.store.deliveries.list({ states: ['waiting'] }, 1)).length === 0
    })
    expect(await spared()).to.deep.equal([])
  })

  it('is called at once when its subscription moves to another address', async () => {
    one.dispatcher.start()
    const atFirst = await calls(one)
    status = 204
    await one.sender.subscriptions.update(subscriptionId, { url: `${receiver.url}/new` }, new Date(one.clock.now()))
    expect(await spared()).to.deep.equal([])
    two.dispatcher.start()
    expect(await calls(one, two)).to.be.at.least(atFirst + EVENTS)
  })
})
