/** Changes of more deliveries than one statement changes. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { DATABASE_FILE } from '../../../server/store/folder/data-files.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aDispatch, MASTER_KEY, type TestDispatch } from '../../support/store/a-dispatch.ts'
import { authenticatedAnew } from '../../support/store/authenticated-anew.ts'
import { repeatEvent } from '../../support/store/many-events.ts'
import { aPostgres, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'
import { migratedDatabase } from '../../support/store/postgres/kept-database.ts'
import { keptDatabases } from '../../support/store/postgres/kept-databases.ts'

const QUEUED = 600

async function inFolder() {
  const data = join(aFolder(), 'data')
  mkdirSync(data, { mode: 0o700 })
  const run = async (sql: string) => {
    const database = new DatabaseSync(join(data, DATABASE_FILE))
    database.exec(sql)
    database.close()
  }
  return { data, run }
}

describe('a long queue', function () {
  this.timeout(60_000)
  let postgres: TestPostgres | undefined
  before(async () => {
    postgres = await aPostgres()
  })
  const next = keptDatabases(() => postgres!.database(), migratedDatabase)
  after(() => postgres?.stop())
  const inPostgres = async () => {
    const { url, query } = await next()
    return { data: url, run: async (sql: string) => void (await query(sql)) }
  }

  for (const [name, place] of [
    ['SQLite', inFolder],
    ['PostgreSQL', inPostgres],
  ] as const)
    describe(`in ${name}`, () => {
      let dispatch: TestDispatch
      let run: (sql: string) => Promise<void>
      let data: string
      let subscriptionId: number
      const at = () => new Date(dispatch.clock.now())
      const update = (change: { active?: boolean; url?: string }) =>
        dispatch.sender.subscriptions.update(subscriptionId, change, at())
      const count = async (state: 'waiting' | 'cancelled' | 'failed') =>
        (await dispatch.store.deliveries.list({ subscriptionId, states: [state] }, 10_000)).length
      /** As a process leaves it that is killed in the middle of a deactivation. */
      const breakOff = async () => {
        await run(`UPDATE subscription SET is_active = 0 WHERE id = ${subscriptionId}`)
        await authenticatedAnew(data, MASTER_KEY)
      }

      beforeEach(async () => {
        const made = await place()
        run = made.run
        data = made.data
        dispatch = await aDispatch({ data: made.data })
        subscriptionId = (await dispatch.subscribe('https://receiver.example.org/')).id
        const eventId = await dispatch.happens()
        await repeatEvent({ data: made.data, masterKey: MASTER_KEY, eventId, times: QUEUED - 1 })
        while ((await dispatch.store.outbox.fanOut(at(), 500)) > 0);
        expect(await count('waiting')).to.equal(QUEUED)
      })
      afterEach(() => dispatch.stop())

      it('is cancelled to its end with its subscription, and given up', async () => {
        await update({ active: false })
        expect([await count('waiting'), await count('cancelled')]).to.deep.equal([0, QUEUED])
        await update({ active: true })
        await dispatch.store.deliveries.redeliver({ subscriptionId }, at())
        expect(await count('waiting')).to.equal(QUEUED)
        await dispatch.store.outbox.giveUpOlderThan(new Date(dispatch.clock.now() + 1), at())
        expect([await count('waiting'), await count('failed')]).to.deep.equal([0, QUEUED])
        await dispatch.store.deliveries.redeliver({ subscriptionId }, at())
        await dispatch.sender.subscriptions.remove(subscriptionId, at())
        expect([await count('waiting'), await count('cancelled')]).to.deep.equal([0, QUEUED])
      })

      it('is cancelled by the next process when one was killed meanwhile, and before its subscription is active again', async () => {
        await breakOff()
        await dispatch.store.outbox.cancelStranded(at())
        expect([await count('waiting'), await count('cancelled')]).to.deep.equal([0, QUEUED])
        await update({ active: true })
        await dispatch.store.deliveries.redeliver({ subscriptionId }, at())
        await dispatch.store.outbox.cancelStranded(at())
        expect(await count('waiting'), 'of an active subscription').to.equal(QUEUED)
        await breakOff()
        await update({ active: true })
        expect([await count('waiting'), await count('cancelled')]).to.deep.equal([0, QUEUED])
      })

      it('moves to its end to a new URL, due at once', async () => {
        await run(`UPDATE delivery SET attempts = 3, due_at = '2999-01-01T00:00:00.000Z'`)
        dispatch.clock.advance(1_000)
        await update({ url: 'https://other.example.org/' })
        const moved = await dispatch.store.deliveries.list({ subscriptionId }, 10_000)
        expect(new Set(moved.map(({ nextAttemptAt }) => nextAttemptAt))).to.deep.equal(new Set([at().toISOString()]))
      })

      it('is sent again in order, behind a longer one that may not be sent', async () => {
        const other = await dispatch.another('Birch')
        const otherId = await other.subscribe('https://birch.example.org/')
        await update({ active: false })
        for (let event = 0; event < 5; event++) await other.happens()
        await dispatch.store.outbox.fanOut(at(), 10)
        await run(`UPDATE delivery SET state = 'failed' WHERE subscription_id = ${otherId}`)
        const filter = { states: ['cancelled', 'failed'] as const }
        const { deliveries } = dispatch.store
        expect(await deliveries.countRedeliverable(filter, at())).to.deep.equal({ count: 5, next: null })
        const counted = await deliveries.countRedeliverable(filter, at(), { limit: 3 })
        const { count: sent, next } = await deliveries.redeliver(filter, at(), { limit: 3 })
        expect(counted).to.deep.equal({ count: sent, next })
        expect(sent).to.equal(3)
        const waiting = await deliveries.list({ states: ['waiting'] }, 10)
        expect(waiting.map(({ subscriptionId: to }) => to)).to.deep.equal([otherId, otherId, otherId])
        expect(waiting[0]!.id).to.equal(next)
        expect(await deliveries.redeliver(filter, at(), { after: next! })).to.deep.equal({ count: 2, next: null })
        expect(await count('cancelled')).to.equal(QUEUED)
      })
    })
})
