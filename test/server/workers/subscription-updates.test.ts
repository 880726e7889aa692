/** What updates of a subscription do to the deliveries that wait for it. */
import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { systemClock } from '../../../lib/clock.ts'
import { openStore } from '../../../server/store/store.ts'
import { answers, aRoughReceiver, type RoughOptions, type RoughReceiver } from '../../support/network/rough-receiver.ts'
import { aDispatch, MASTER_KEY, type TestDispatch } from '../../support/store/a-dispatch.ts'
import { aPostgres, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'
import { migratedDatabase } from '../../support/store/postgres/kept-database.ts'
import { keptDatabases } from '../../support/store/postgres/kept-databases.ts'

describe('an update of a subscription', () => {
  let postgres: TestPostgres | undefined
  before(async () => {
    postgres = await aPostgres()
  })
  const next = keptDatabases(() => postgres!.database(), migratedDatabase)
  after(() => postgres?.stop())
  const databases = {
    'on SQLite': async () => ':memory:',
    'on PostgreSQL': async () => (await next()).url,
  }

  it('loses nothing when the URL changes again and again while two processes send', async function () {
    this.timeout(30_000)
    const data = (await next()).url
    const first = await aDispatch({ data, clock: systemClock })
    const otherStore = await openStore(data, MASTER_KEY)
    const second = first.dispatcherOf(otherStore)
    let isMoving = true
    const behave: RoughOptions['behave'] = (response, count) =>
      answers(isMoving && count % 3 === 0 ? 500 : 204)(response)
    const places = await Promise.all([1, 2].map(() => aRoughReceiver({ behave })))
    try {
      const { id } = await first.subscribe(places[0]!.url)
      for (const dispatcher of [first.dispatcher, second]) dispatcher.start()
      const happening = first.happensOften(200)
      const move = (place: RoughReceiver) => first.sender.subscriptions.update(id, { url: place.url }, new Date())
      for (let moves = 1; moves <= 40; moves++) await move(places[moves % 2]!)
      const events = await happening
      isMoving = false
      // What has failed would wait for its next attempt, but for this.
      await move(places[1]!)
      await first.until(async () => (await first.store.deliveries.list({ states: ['delivered'] }, 500)).length === 200)
      const told = places.flatMap(({ taken }) => taken.map(({ headers }) => headers['x-service-event-id']))
      expect(new Set(told)).to.deep.equal(new Set(events))
      expect(first.faults).to.deep.equal([])
    } finally {
      await second.stop()
      await otherStore.close()
      await Promise.all(places.map((place) => place.close()))
      await first.stop()
    }
  })

  for (const [where, data] of Object.entries(databases))
    describe(where, () => {
      let dispatch: TestDispatch
      let subscription: { id: number }
      let old: RoughReceiver
      const receivers: RoughReceiver[] = []
      const receiver = async (behave: RoughOptions['behave']) => {
        const made = await aRoughReceiver({ behave, now: dispatch.clock.now })
        receivers.push(made)
        return made
      }
      const update = (change: { active?: boolean; url?: string }) =>
        dispatch.sender.subscriptions.update(subscription.id, change, new Date(dispatch.clock.now()))
      const delivery = () => dispatch.delivery(subscription.id)
      const settled = (attempts: number) =>
        dispatch.until(async () => {
          const found = await delivery()
          return found?.attempts === attempts && !found.isUnderWay && found
        })
      const actions = async () => {
        const found: string[] = []
        for await (const { action } of dispatch.store.audit.rows()) found.push(action)
        return found.filter((action) => action.startsWith('subscription.'))
      }

      beforeEach(async () => {
        dispatch = await aDispatch({ data: await data() })
        old = await receiver(answers(500))
        subscription = await dispatch.subscribe(old.url)
        dispatch.dispatcher.start()
      })
      afterEach(async () => {
        await Promise.all(receivers.splice(0).map((one) => one.close()))
        await dispatch.stop()
      })

      it('that changes nothing writes nothing, and what waits goes on waiting', async () => {
        await dispatch.happens()
        const waiting = await settled(1)
        const [before] = await dispatch.sender.subscriptions.list()
        dispatch.clock.advance(1_000)
        for (const change of [{ active: true }, { url: old.url }, { active: true, url: old.url }])
          expect(await update(change)).to.deep.equal(before)
        expect(await dispatch.sender.subscriptions.list()).to.deep.equal([before])
        expect(await delivery()).to.deep.equal(waiting)
        expect(await actions()).to.deep.equal(['subscription.create'])
      })

      it('to a new URL takes along what waits: due there at once, with the whole schedule before it', async () => {
        const eventId = await dispatch.happens()
        for (let attempt = 1; attempt <= 5; attempt++) {
          const { nextAttemptAt } = await settled(attempt)
          if (attempt < 5) dispatch.clock.advanceTo(Date.parse(nextAttemptAt!))
        }
        let status = 503
        const moved = await receiver((response) => answers(status)(response))
        await update({ url: moved.url })
        const failed = await settled(6)
        expect(Date.parse(failed.nextAttemptAt!) - dispatch.clock.now(), 'the first pause').to.equal(5_000)
        status = 204
        dispatch.clock.advance(5_000)
        expect((await settled(7)).state).to.equal('delivered')
        expect(old.taken).to.have.length(5)
        expect(moved.taken.map(({ headers }) => headers['x-service-event-id'])).to.deep.equal([eventId, eventId])
        expect(await actions()).to.deep.equal(['subscription.create', 'subscription.update'])
      })

      it('to a new URL leaves the open breaker of the old one behind', async () => {
        const events = await dispatch.happensOften(40)
        await dispatch.allIsSent()
        const calls = old.taken.length
        expect(calls, 'the breaker is open').to.be.within(10, 15)
        const moved = await receiver(answers(204))
        await update({ url: moved.url })
        await dispatch.until(() => moved.taken.length === 40)
        expect(new Set(moved.taken.map(({ headers }) => headers['x-service-event-id']))).to.deep.equal(new Set(events))
        await dispatch.allIsSent()
        expect(old.taken).to.have.length(calls)
      })

      for (const [how, end] of [
        ['with 500', answers(500)],
        ['with 410', answers(410)],
        ['by breaking off', (response: ServerResponse) => void response.destroy()],
      ] as const)
        it(`to a new URL sends there at once what is under way and ends ${how}`, async () => {
          const hanging: ServerResponse[] = []
          const slow = await receiver((response) => void hanging.push(response))
          await update({ url: slow.url })
          await dispatch.happens()
          await dispatch.until(() => hanging.length === 1)
          const moved = await receiver(answers(204))
          await update({ url: moved.url })
          end(hanging[0]!)
          expect((await settled(2)).state).to.equal('delivered')
          expect(moved.taken).to.have.length(1)
          const [{ isActive } = { isActive: false }] = await dispatch.sender.subscriptions.list()
          expect(isActive).to.equal(true)
        })

      it('to a new URL does not send again what the old one receives meanwhile', async () => {
        const hanging: ServerResponse[] = []
        const slow = await receiver((response) => void hanging.push(response))
        await update({ url: slow.url })
        await dispatch.happens()
        await dispatch.until(() => hanging.length === 1)
        const moved = await receiver(answers(204))
        await update({ url: moved.url })
        answers(204)(hanging[0]!)
        expect((await settled(1)).state).to.equal('delivered')
        await dispatch.allIsSent()
        expect(moved.taken).to.deep.equal([])
      })

      it('that deactivates cancels what waits, also what happened just before', async () => {
        await dispatch.happens()
        await settled(1)
        await dispatch.dispatcher.stop()
        await dispatch.happens()
        await update({ active: false })
        const found = await dispatch.store.deliveries.list({ subscriptionId: subscription.id }, 10)
        expect(found.map(({ state }) => state)).to.deep.equal(['cancelled', 'cancelled'])
        await dispatch.happens()
        await dispatch.store.outbox.fanOut(new Date(dispatch.clock.now()), 10)
        expect(await dispatch.store.deliveries.list({ subscriptionId: subscription.id }, 10), 'since').to.have.length(2)
      })

      it('that reactivates sends nothing of what was cancelled; redelivery does, however the subscription ended', async () => {
        let status = 500
        const receiving = await receiver((response) => answers(status)(response))
        await update({ url: receiving.url })
        const events = [await dispatch.happens(), await dispatch.happens()]
        await dispatch.until(() => receiving.taken.length === 2)
        status = 410
        dispatch.clock.advance(5_000)
        await dispatch.until(async () => (await dispatch.sender.subscriptions.list())[0]?.isActive === false)
        const at = () => new Date(dispatch.clock.now())
        const filter = { subscriptionId: subscription.id, states: ['failed', 'cancelled'] as const }
        const redelivered = async () => (await dispatch.store.deliveries.redeliver(filter, at())).count
        expect(await redelivered(), 'not active').to.equal(0)
        const states = await dispatch.store.deliveries.list(filter, 10)
        expect(states.map(({ subscriptionState }) => subscriptionState)).to.deep.equal(['inactive', 'inactive'])
        status = 204
        await update({ active: true })
        await dispatch.allIsSent()
        const called = receiving.taken.length
        expect(await redelivered()).to.equal(2)
        await dispatch.until(() => receiving.taken.length === called + 2)
        const sent = receiving.taken.slice(called).map(({ headers }) => headers['x-service-event-id'])
        expect(new Set(sent)).to.deep.equal(new Set(events))
        expect(await actions()).to.include('subscription.deactivate')
      })
    })
})
