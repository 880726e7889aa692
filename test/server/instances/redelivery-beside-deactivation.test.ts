/** Sending again beside a deactivation on PostgreSQL: nothing may begin to wait for a subscription that is not active. */
import { expect } from 'chai'
import pg from 'pg'
import { CHAIN_LOCK } from '../../../server/store/audit/audit-log.ts'
import { eventually } from '../../support/eventually.ts'
import { aDispatch, type TestDispatch } from '../../support/store/a-dispatch.ts'
import { aPostgres, query, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'

describe('Sending again while the subscription is deactivated', function () {
  this.timeout(60_000)
  let postgres: TestPostgres | undefined
  let data: string
  let dispatch: TestDispatch
  let held: pg.Client
  before(async () => {
    postgres = await aPostgres()
  })
  after(() => postgres?.stop())
  beforeEach(async () => {
    data = await postgres!.database()
    dispatch = await aDispatch({ data })
    held = new pg.Client({ connectionString: data })
    await held.connect()
  })
  afterEach(async () => {
    await held.end()
    await dispatch.stop()
  })

  const at = () => new Date(dispatch.clock.now())
  const later = () => new Date(dispatch.clock.now() + 1)
  /** Resolves when that many sessions wait for a lock. */
  const waiting = (sessions: number) =>
    eventually(async () =>
      expect(await query(data, 'SELECT DISTINCT pid FROM pg_locks WHERE NOT granted')).to.have.length(sessions),
    )

  for (const change of ['deactivated', 'deleted'] as const)
    it(`sends nothing again of one that is ${change} before it is done`, async () => {
      const { id } = await dispatch.subscribe('https://ehr.example.org/')
      await dispatch.happensOften(3)
      await dispatch.store.outbox.fanOut(at(), 10)
      await dispatch.store.outbox.giveUpOlderThan(later(), at())
      const states = async () =>
        (await dispatch.store.deliveries.list({ subscriptionId: id }, 10)).map(({ state }) => state)
      expect(await states()).to.deep.equal(['failed', 'failed', 'failed'])

      // A transaction that writes into the audit log, its last step, waits for this.
      await held.query('BEGIN')
      await held.query('SELECT pg_advisory_xact_lock($1)', [CHAIN_LOCK])
      const { subscriptions } = dispatch.sender
      const ending =
        change === 'deleted' ? subscriptions.remove(id, at()) : subscriptions.update(id, { active: false }, at())
      await waiting(1)
      const redelivering = dispatch.store.deliveries.redeliver({ subscriptionId: id, states: ['failed'] }, at())
      await waiting(2)
      await held.query('COMMIT')
      await ending
      expect(await redelivering).to.deep.equal({ count: 0, next: null })
      expect(await states()).to.deep.equal(['failed', 'failed', 'failed'])
    })
})
