/** The dispatcher when something else goes wrong: processes that die, clocks, damage, and changes while an attempt is under way. */
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { DELIVERY_LEASE_MS } from '../../../server/choices.ts'
import { aFolder } from '../../support/a-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { answers, aRoughReceiver, type RoughOptions, type RoughReceiver } from '../../support/network/rough-receiver.ts'
import { aDispatch, type TestDispatch } from '../../support/store/a-dispatch.ts'

describe('the dispatcher in trouble', () => {
  let folder: string
  let dispatch: TestDispatch
  const receivers: RoughReceiver[] = []

  beforeEach(async () => {
    folder = aFolder()
    dispatch = await aDispatch({ data: folder })
  })
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((one) => one.close()))
    await dispatch.stop()
  })

  const receiver = async (behave: RoughOptions['behave']) => {
    const made = await aRoughReceiver({ behave, now: dispatch.clock.now })
    receivers.push(made)
    return made
  }
  /** Answers when the test says so. */
  const held = async () => {
    const waiting: ServerResponse[] = []
    const made = await receiver((response) => void waiting.push(response))
    return {
      ...made,
      async answer(status: number) {
        await dispatch.until(() => waiting.length > 0)
        answers(status)(waiting.shift()!)
      },
      isCalled: () => dispatch.until(() => waiting.length > 0),
    }
  }
  const at = () => new Date(dispatch.clock.now())
  /** Opens the database beside the service. */
  const inDatabase = <T>(work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(join(folder, 'countersign.sqlite'))
    try {
      return work(database)
    } finally {
      database.close()
    }
  }

  it('sends what a process claimed before it died once the lease has ended, not before, and as the first attempt', async () => {
    const receiving = await receiver(answers(204))
    const { id } = await dispatch.subscribe(receiving.url)
    await dispatch.happens()
    await dispatch.store.outbox.fanOut(at(), 10)
    const choose = () => [{ subscriptionId: id, lane: 'first', limit: 1 }] as const
    const leaseUntil = new Date(dispatch.clock.now() + DELIVERY_LEASE_MS)
    expect(await dispatch.store.outbox.claim({ at: at(), leaseUntil, lease: 'dead', choose })).to.have.length(1)
    dispatch.dispatcher.start()
    dispatch.clock.advance(DELIVERY_LEASE_MS - 1)
    await dispatch.allIsSent()
    expect(receiving.taken).to.have.length(0)
    dispatch.clock.advance(1)
    await dispatch.until(async () => (await dispatch.delivery(id)).state === 'delivered')
    expect(receiving.taken.map(({ headers }) => headers['x-service-attempt'])).to.deep.equal(['1'])
    expect((await dispatch.delivery(id)).attempts).to.equal(1)
  })

  it('leaves a delivery to the process that claimed it since, when its own attempt ends after the lease', async () => {
    const receiving = await held()
    const { id } = await dispatch.subscribe(receiving.url)
    await dispatch.happens()
    dispatch.dispatcher.start()
    await receiving.isCalled()
    // A process that stood still for longer than its lease: to the others it is dead.
    const choose = () => [{ subscriptionId: id, lane: 'first', limit: 1 }] as const
    const later = new Date(dispatch.clock.now() + DELIVERY_LEASE_MS)
    const leaseUntil = new Date(later.getTime() + DELIVERY_LEASE_MS)
    const { outbox } = dispatch.store
    const [taken] = await outbox.claim({ at: later, leaseUntil, lease: 'other', choose })
    expect(taken).to.include({ attemptNumber: 1 })
    await receiving.answer(500)
    await dispatch.until(async () => (await dispatch.store.deliveries.attempts(taken!.id)).length === 1)
    expect(await dispatch.delivery(id)).to.include({ state: 'waiting', attempts: 0, isUnderWay: true })
    const result = {
      startedAt: later,
      durationMs: 1,
      connectMs: 1,
      firstByteMs: 1,
      status: 204,
      answerBytes: 0,
      answer: null,
    }
    const settlement = { finding: null, delivery: taken!, result: { ...result, outcome: 'delivered' as const } }
    await outbox.settle([{ ...settlement, outcome: { state: 'delivered' } }], 'other', later)
    expect(await dispatch.delivery(id)).to.include({ state: 'delivered', attempts: 1 })
  })

  it('writes, when it stops, what comes of the attempts that are under way', async () => {
    const receiving = await held()
    const { id } = await dispatch.subscribe(receiving.url)
    await dispatch.happens()
    dispatch.dispatcher.start()
    await receiving.isCalled()
    const stopped = dispatch.dispatcher.stop()
    await receiving.answer(204)
    await stopped
    expect(await dispatch.delivery(id)).to.include({ state: 'delivered', attempts: 1, isUnderWay: false })
  })

  it('sends again what was received while the database could not be written, and loses nothing', async function () {
    this.timeout(30_000)
    const other = new DatabaseSync(join(folder, 'countersign.sqlite'))
    const receiving = await receiver(async (response, count) => {
      // The dispatcher may be writing at that moment.
      if (count === 1) await eventually(() => other.exec('BEGIN IMMEDIATE'))
      answers(204)(response)
    })
    const { id } = await dispatch.subscribe(receiving.url)
    const eventId = await dispatch.happens()
    dispatch.dispatcher.start()
    // Nobody wakes the dispatcher meanwhile, so that what fails is the writing of the attempt.
    await eventually(() => expect(dispatch.faults).not.to.deep.equal([]))
    expect(String(dispatch.faults.splice(0)[0])).to.match(/store does not answer/)
    other.exec('ROLLBACK')
    other.close()
    await dispatch.allIsSent()
    expect(receiving.taken, 'the lease still holds').to.have.length(1)
    dispatch.clock.advance(DELIVERY_LEASE_MS)
    await dispatch.until(async () => (await dispatch.delivery(id)).state === 'delivered')
    const told = receiving.taken.map(({ headers }) => headers['x-service-event-id'])
    expect(told).to.deep.equal([eventId, eventId])
  })

  for (const [status, state] of [
    [204, 'delivered'],
    [500, 'cancelled'],
  ] as const)
    it(`lets an attempt that was under way end when its subscription is deactivated: ${status} → ${state}`, async () => {
      const receiving = await held()
      const { id } = await dispatch.subscribe(receiving.url)
      await dispatch.happens()
      dispatch.dispatcher.start()
      await receiving.isCalled()
      await dispatch.sender.subscriptions.update(id, { active: false }, at())
      await receiving.answer(status)
      await dispatch.until(async () => (await dispatch.delivery(id)).attempts === 1)
      expect(await dispatch.delivery(id)).to.include({ state, nextAttemptAt: null, isUnderWay: false })
      dispatch.clock.advance(24 * 60 * 60 * 1000)
      await dispatch.allIsSent()
      expect(receiving.taken).to.have.length(1)
    })

  it('does not take the 410 of the old place for one of the new, and tells the new place at once', async () => {
    const [old, moved] = [await held(), await receiver(answers(204))]
    const { id } = await dispatch.subscribe(old.url)
    const eventId = await dispatch.happens()
    dispatch.dispatcher.start()
    await old.isCalled()
    await dispatch.sender.subscriptions.update(id, { url: moved.url }, at())
    await old.answer(410)
    await dispatch.until(async () => (await dispatch.delivery(id)).state === 'delivered')
    expect(moved.taken.map(({ headers }) => headers['x-service-event-id'])).to.deep.equal([eventId])
    const [subscription] = await dispatch.sender.subscriptions.list()
    expect(subscription).to.include({ isActive: true })
  })

  it('is not held up by a delivery that cannot be opened, and sends it when it can be again', async () => {
    const receiving = await receiver(answers(204))
    await dispatch.subscribe(receiving.url)
    const [damaged, ...others] = await dispatch.happensOften(4)
    const sealed = inDatabase((database) => {
      const row = database.prepare('SELECT sealed_body FROM event WHERE event_id = ?').get(damaged!)
      database.prepare('UPDATE event SET sealed_body = zeroblob(200) WHERE event_id = ?').run(damaged!)
      return row!.sealed_body!
    })
    dispatch.dispatcher.start()
    const delivered = () => dispatch.store.deliveries.list({ states: ['delivered'] }, 9)
    await dispatch.until(async () => (await delivered()).length === 3)
    const told = () => receiving.taken.map(({ headers }) => headers['x-service-event-id'])
    expect(told().sort()).to.deep.equal([...others].sort())
    await eventually(() => expect(dispatch.faults).not.to.deep.equal([]))
    expect(dispatch.faults.splice(0).map((fault) => (fault as NodeJS.ErrnoException).code)).to.deep.equal([
      'UNREADABLE_ROW',
    ])
    const [waiting] = await dispatch.store.deliveries.list({ eventId: damaged }, 1)
    expect(waiting).to.include({ state: 'waiting', attempts: 0 })

    inDatabase((database) =>
      database.prepare('UPDATE event SET sealed_body = ? WHERE event_id = ?').run(sealed, damaged!),
    )
    dispatch.clock.advance(DELIVERY_LEASE_MS)
    await dispatch.until(() => receiving.taken.length === 4)
    expect(told()).to.include(damaged)
  })

  it('goes on when the clock is set back: no duration is negative, and no pause is longer for it', async () => {
    const receiving = await held()
    const { id } = await dispatch.subscribe(receiving.url)
    await dispatch.happens()
    dispatch.dispatcher.start()
    await receiving.isCalled()
    dispatch.clock.advance(-60 * 60 * 1000)
    await receiving.answer(503)
    const first = await dispatch.until(async () => {
      const found = await dispatch.delivery(id)
      return found.attempts === 1 && found
    })
    const [attempt] = await dispatch.store.deliveries.attempts(first.id)
    expect(attempt).to.include({ durationMs: 0, firstByteMs: 0 })
    expect(Date.parse(first.nextAttemptAt!) - dispatch.clock.now(), 'the schedule of the clock as it is now').to.equal(
      5_000,
    )

    dispatch.clock.advance(-60 * 60 * 1000)
    await dispatch.happens()
    await receiving.answer(204)
    await dispatch.until(async () => (await dispatch.store.deliveries.list({ states: ['delivered'] }, 1)).length === 1)
  })
})
