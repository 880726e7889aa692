import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { systemClock } from '../../../lib/clock.ts'
import { openStore } from '../../../server/store/store.ts'
import { createBatch } from '../../../server/workers/batch.ts'
import { settle } from '../../support/fake-clock.ts'
import { answers, aRoughReceiver, type RoughOptions, type RoughReceiver } from '../../support/network/rough-receiver.ts'
import { aDispatch, MASTER_KEY, type TestDispatch } from '../../support/store/a-dispatch.ts'
import { aPostgres, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'

const AT = new Date('2026-03-02T09:00:00.000Z')

describe('the dispatcher', () => {
  let dispatch: TestDispatch
  const receivers: RoughReceiver[] = []

  const receiver = async (behave: RoughOptions['behave']) => {
    const made = await aRoughReceiver({ behave, now: dispatch.clock.now })
    receivers.push(made)
    return made
  }

  beforeEach(async () => {
    dispatch = await aDispatch()
  })
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((one) => one.close()))
    await dispatch.stop()
  })

  it('tells every active subscription of the organization, under one event id', async () => {
    const [first, second, off] = [
      await receiver(answers(200)),
      await receiver(answers(204)),
      await receiver(answers(200)),
    ]
    await dispatch.subscribe(first.url)
    await dispatch.subscribe(second.url)
    const { id } = await dispatch.subscribe(off.url)
    await dispatch.sender.subscriptions.update(id, { active: false }, AT)
    dispatch.dispatcher.start()
    const eventId = await dispatch.happens()
    await dispatch.until(() => first.taken.length === 1 && second.taken.length === 1)
    for (const { taken } of [first, second]) expect(taken[0]!.headers['x-service-event-id']).to.equal(eventId)
    expect(off.taken).to.have.length(0)
  })

  it('sends nothing more once a subscription is deactivated or deleted, though another process did it', async () => {
    const dead = await receiver(answers(500))
    const [one, two] = [await dispatch.subscribe(dead.url), await dispatch.subscribe(dead.url)]
    dispatch.dispatcher.start()
    await dispatch.happens()
    await dispatch.until(async () => (await dispatch.delivery(two.id))?.attempts === 1)
    await dispatch.until(async () => (await dispatch.delivery(one.id))?.attempts === 1)
    await dispatch.sender.subscriptions.update(one.id, { active: false }, AT)
    await dispatch.sender.subscriptions.remove(two.id, AT)
    dispatch.clock.advance(7 * 24 * 60 * 60 * 1000)
    await dispatch.happens()
    await dispatch.allIsSent()
    expect(dead.taken).to.have.length(2)
    expect((await dispatch.delivery(one.id)).state).to.equal('cancelled')
    expect((await dispatch.delivery(two.id)).state).to.equal('cancelled')
    await dispatch.sender.subscriptions.update(one.id, { active: true }, AT)
    expect((await dispatch.delivery(one.id)).state, 'reactivated').to.equal('cancelled')
  })

  it('can tell, just before it dials, whether a delivery is still wanted', async () => {
    const { id } = await dispatch.subscribe('http://127.0.0.1:1/')
    await dispatch.happens()
    const { outbox } = dispatch.store
    await outbox.fanOut(AT, 10)
    const leaseUntil = new Date(AT.getTime() + 30_000)
    const choose = () => [{ subscriptionId: id, lane: 'first', limit: 5 }] as const
    const [claimed] = await outbox.claim({ at: AT, leaseUntil, lease: 'a', choose })
    expect((await outbox.wanted([claimed!], 'a')).has(claimed!)).to.equal(true)
    expect((await outbox.wanted([claimed!], 'b')).has(claimed!), 'owned by another process').to.equal(false)
    await dispatch.sender.subscriptions.update(id, { active: false }, AT)
    expect((await outbox.wanted([claimed!], 'a')).has(claimed!)).to.equal(false)
  })

  it('does not let a dead receiver with 10,000 queued events delay a healthy one', async function () {
    this.timeout(60_000)
    const hanging: ServerResponse[] = []
    const dead = await receiver((response) => void hanging.push(response))
    const healthy = await receiver(answers(204))
    const deadId = (await dispatch.subscribe(dead.url)).id
    await dispatch.happensOften(10_000)
    while ((await dispatch.store.outbox.fanOut(AT, 500)) > 0);
    // Subscribed later: the backlog is the dead one's alone.
    await dispatch.subscribe(healthy.url)
    dispatch.dispatcher.start()
    await dispatch.until(() => dead.taken.length === 6)

    const waits: number[] = []
    for (let event = 0; event < 50; event++) {
      const begun = performance.now()
      await dispatch.happens()
      await dispatch.until(() => healthy.taken.length === event + 1)
      waits.push(performance.now() - begun)
    }
    waits.sort((a, b) => a - b)
    expect(waits[25]!, 'median of ms from the change to the callback').to.be.below(50)
    expect(dead.taken, 'calls of the dead receiver').to.have.length(6)

    // The longer it times out the less the dead one gets, and its events use up no attempts while the breaker is open.
    for (let minute = 0; minute < 10; minute++) {
      dispatch.clock.advance(60_000)
      await dispatch.until(() => hanging.every(({ destroyed }) => destroyed))
      await dispatch.nothingIsDue()
    }
    expect(dead.taken.length).to.be.below(40)
    const untouched = await dispatch.store.deliveries.list({ subscriptionId: deadId, states: ['waiting'] }, 20_000)
    expect(untouched.filter(({ attempts }) => attempts === 0).length).to.be.above(9_900)
  })

  it('gives up what has waited for seven days', async () => {
    const { id } = await dispatch.subscribe('http://127.0.0.1:1/')
    await dispatch.happens()
    await dispatch.store.outbox.fanOut(AT, 10)
    await dispatch.store.outbox.giveUpOlderThan(AT, AT)
    expect((await dispatch.delivery(id)).state).to.equal('waiting')
    await dispatch.store.outbox.giveUpOlderThan(new Date(AT.getTime() + 1), AT)
    expect((await dispatch.delivery(id)).state).to.equal('failed')
  })

  it('does not send again what is under way when the clock is put forward beyond the lease', async () => {
    const slow: (() => void)[] = []
    const receiving = await receiver((response) => void slow.push(() => answers(204)(response)))
    const { id } = await dispatch.subscribe(receiving.url)
    await dispatch.happens()
    await dispatch.store.outbox.fanOut(AT, 10)
    const choose = () => [{ subscriptionId: id, lane: 'first', limit: 5 }] as const
    dispatch.dispatcher.start()
    await dispatch.until(() => slow.length === 1)
    const taken = await dispatch.store.outbox.claim({
      at: new Date(AT.getTime() + 29_000),
      leaseUntil: AT,
      lease: 'other',
      choose,
    })
    expect(taken, 'claimed by another process within the lease').to.have.length(0)
    slow[0]!()
    await dispatch.until(async () => (await dispatch.delivery(id)).state === 'delivered')
    expect(receiving.taken).to.have.length(1)
  })
})

describe('two dispatchers on one PostgreSQL database', () => {
  let postgres: TestPostgres | undefined
  before(async function () {
    this.timeout(60_000)
    postgres = await aPostgres()
  })
  after(() => postgres?.stop())

  it('never send the same attempt twice, and between them send everything once', async function () {
    this.timeout(30_000)
    const first = await aDispatch({ data: postgres!.url, clock: systemClock })
    const otherStore = await openStore(postgres!.url, MASTER_KEY)
    const second = first.dispatcherOf(otherStore)
    const receiving = await aRoughReceiver({ behave: answers(204) })
    await first.subscribe(receiving.url)
    const eventIds = await first.happensOften(300)
    first.dispatcher.start()
    second.start()
    try {
      await first.until(() => receiving.taken.length >= eventIds.length)
      await first.until(async () => (await first.store.deliveries.list({ states: ['waiting'] }, 1)).length === 0)
      const told = receiving.taken.map(({ headers }) => headers['x-service-event-id'])
      expect(told.sort()).to.deep.equal(eventIds.sort())
      const sent = await first.store.deliveries.list({}, 1_000)
      expect(new Set(sent.map(({ attempts }) => attempts))).to.deep.equal(new Set([1]))
    } finally {
      await second.stop()
      await otherStore.close()
      await first.stop()
      await receiving.close()
    }
  })
})

describe('a batch of writes', () => {
  it('gathers what comes while a write is running, and tells each caller how its write ended', async () => {
    const written: (readonly number[])[] = []
    const add = createBatch<number>(async (items) => {
      written.push(items)
      await settle()
      if (items.includes(13)) throw new Error('unlucky')
    }, 3)
    const [one, unlucky, ...rest] = [1, 13, 2, 3, 4].map(add)
    const failures = await Promise.allSettled([one, unlucky, ...rest])
    expect(written).to.deep.equal([
      [1, 13, 2],
      [3, 4],
    ])
    expect(failures.map(({ status }) => status)).to.deep.equal([
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
  })
})
