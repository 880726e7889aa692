import { expect } from 'chai'
import { answers, aRoughReceiver, type RoughReceiver } from '../../support/network/rough-receiver.ts'
import { aDispatch, type TestDispatch } from '../../support/store/a-dispatch.ts'

describe('sending again', () => {
  let dispatch: TestDispatch
  let receiver: RoughReceiver
  let status: number
  let subscriptionId: number
  const { now } = Date

  beforeEach(async () => {
    status = 500
    dispatch = await aDispatch()
    receiver = await aRoughReceiver({ behave: (response) => answers(status)(response), now })
    subscriptionId = (await dispatch.subscribe(receiver.url)).id
    dispatch.dispatcher.start()
  })
  afterEach(async () => {
    await receiver.close()
    await dispatch.stop()
  })

  const at = () => new Date(dispatch.clock.now())
  type Filter = Parameters<typeof dispatch.store.deliveries.redeliver>[0]
  const redeliver = async (filter: Filter) => (await dispatch.store.deliveries.redeliver(filter, at())).count
  const settled = (attempts: number) =>
    dispatch.until(async () => {
      const found = await dispatch.delivery(subscriptionId)
      return found && found.attempts === attempts && !found.isUnderWay && found
    })

  /** Fails one event until its schedule is over. */
  async function exhausted() {
    const eventId = await dispatch.happens()
    for (let attempt = 1; attempt <= 12; attempt++) {
      const { nextAttemptAt } = await settled(attempt)
      if (nextAttemptAt) dispatch.clock.advanceTo(Date.parse(nextAttemptAt))
    }
    return eventId
  }

  it('sends the same bytes under the same id, and begins the schedule anew', async () => {
    const eventId = await exhausted()
    expect((await dispatch.delivery(subscriptionId)).state).to.equal('failed')
    expect(await redeliver({ eventId })).to.equal(1)
    const { state, nextAttemptAt, id } = await settled(13)
    expect(state).to.equal('waiting')
    expect(Date.parse(nextAttemptAt!) - dispatch.clock.now()).to.equal(5_000)
    status = 204
    dispatch.clock.advance(5_000)
    expect((await settled(14)).state).to.equal('delivered')
    const log = await dispatch.store.deliveries.attempts(id)
    expect(log.map(({ attemptNumber }) => attemptNumber)).to.deep.equal(Array.from({ length: 14 }, (_, i) => i + 1))
    expect(log.map(({ trigger }) => trigger)).to.deep.equal([...Array(12).fill('scheduled'), 'manual', 'scheduled'])
    expect(new Set(receiver.taken.map(({ body }) => body.toString())).size).to.equal(1)
    expect(new Set(receiver.taken.map(({ headers }) => headers['x-service-event-id']))).to.deep.equal(
      new Set([eventId]),
    )
  })

  it('takes the place of the retry that was waiting', async () => {
    await dispatch.happens()
    const { id } = await settled(1)
    status = 204
    expect(await redeliver({ id })).to.equal(1)
    expect((await settled(2)).state).to.equal('delivered')
    dispatch.clock.advance(60_000)
    await dispatch.allIsSent()
    expect(receiver.taken).to.have.length(2)
  })

  it('sends as many again as one call may, the oldest first, and says where to go on', async () => {
    await dispatch.dispatcher.stop()
    const events = await dispatch.happensOften(5)
    await dispatch.store.outbox.fanOut(at(), 10)
    await dispatch.sender.subscriptions.update(subscriptionId, { active: false }, at())
    await dispatch.sender.subscriptions.update(subscriptionId, { active: true }, at())
    const filter = { subscriptionId, states: ['cancelled'] as const }
    const some = (limit: number, after?: number) => dispatch.store.deliveries.redeliver(filter, at(), { limit, after })
    const { count, next } = await some(2)
    expect(count).to.equal(2)
    const waiting = await dispatch.store.deliveries.list({ states: ['waiting'] }, 10)
    expect(waiting.map(({ eventId }) => eventId).reverse()).to.deep.equal(events.slice(0, 2))
    expect(next).to.equal(waiting[0]!.id)
    expect(await some(3, next!)).to.deep.equal({ count: 3, next: null })
    const entries: unknown[] = []
    for await (const { action, subject } of dispatch.store.audit.rows())
      if (action === 'delivery.redeliver') entries.push(subject)
    expect(entries).to.have.length(5)
  })

  it('finds deliveries by event, task, subscription, state and time; to count them changes nothing', async () => {
    const first = await exhausted()
    const later = new Date(dispatch.clock.now() + 1)
    dispatch.clock.advance(1_000)
    await exhausted()
    const [newest] = await dispatch.store.deliveries.list({ subscriptionId }, 1)
    const counts = await Promise.all(
      [
        { eventId: first },
        { taskId: newest!.taskId },
        { subscriptionId },
        { subscriptionId: subscriptionId + 1 },
        { organizationId: dispatch.organizationId },
        { states: ['failed'] as const, since: later },
        { states: ['delivered'] as const },
      ].map((filter) => dispatch.store.deliveries.countRedeliverable(filter, at())),
    )
    expect(counts.map(({ count }) => count)).to.deep.equal([1, 1, 2, 0, 2, 1, 0])
    expect((await dispatch.store.deliveries.list({ states: ['waiting'] }, 10)).length).to.equal(0)
    expect(receiver.taken).to.have.length(24)
  })

  it('leaves out subscriptions that are not active, and what is being sent at this moment', async () => {
    const eventId = await exhausted()
    await dispatch.sender.subscriptions.update(subscriptionId, { active: false }, at())
    expect(await redeliver({ eventId })).to.equal(0)
    await dispatch.sender.subscriptions.update(subscriptionId, { active: true }, at())
    const choose = () => [{ subscriptionId, lane: 'first', limit: 1 }] as const
    await dispatch.dispatcher.stop()
    const other = await dispatch.happens()
    await dispatch.store.outbox.fanOut(at(), 10)
    const leaseUntil = new Date(dispatch.clock.now() + 30_000)
    expect(await dispatch.store.outbox.claim({ at: at(), leaseUntil, lease: 'other', choose })).to.have.length(1)
    expect(await redeliver({ eventId: other }), 'under way').to.equal(0)
    dispatch.clock.advance(30_000)
    expect(await redeliver({ eventId: other }), 'its process is gone').to.equal(1)
  })

  it('keeps the log of attempts within its age and its number of rows', async () => {
    await exhausted()
    const { id } = await dispatch.delivery(subscriptionId)
    const log = await dispatch.store.deliveries.attempts(id)
    const { trimAttempts, attempts } = dispatch.store.deliveries
    expect(await trimAttempts(new Date(0), 1_000)).to.equal(0)
    expect(await trimAttempts(new Date(log[3]!.startedAt), 1_000)).to.equal(3)
    expect(await trimAttempts(new Date(0), 5)).to.equal(4)
    expect((await attempts(id)).map(({ attemptNumber }) => attemptNumber)).to.deep.equal([8, 9, 10, 11, 12])
  })
})
