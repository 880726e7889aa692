/** Whether a process is ready: asked over HTTP, and in the states that a running service does not get into by itself. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { READY_LIMITS_MS } from '../../../server/choices.ts'
import type { Refusal } from '../../../server/domain/refusal.ts'
import { run } from '../../../server/operations/sender/check-health.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { expectedWaitMs, watchEventLoop } from '../../../server/workers/event-loop.ts'
import { createReadiness } from '../../../server/workers/readiness.ts'
import { aFolder } from '../../support/a-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { aService } from '../../support/service/a-service.ts'
import { aPostgres, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'

const onTime = { name: 'ingestion', sinceRoundMs: 10, sinceFaultMs: null, lateAfterMs: 12_000 }

describe('GET /ready', () => {
  it('is 200 when the store answers and every worker has made its round', async () => {
    const service = await aService()
    try {
      const answer = await eventually(async () => {
        const now = await service.ask('GET', '/ready', { key: null })
        expect(now.status, now.text).to.equal(200)
        return now
      })
      expect(answer.body).to.deep.equal({ status: 'ready' })
    } finally {
      await service.stop()
    }
  })

  it('is 503 with Retry-After when the schema of the store is not that of this version', async () => {
    const data = join(aFolder(), 'data')
    const service = await aService({ data })
    try {
      const database = new DatabaseSync(join(data, 'countersign.sqlite'))
      database.exec("DELETE FROM kysely_migration WHERE name = '0001-initial'")
      database.close()
      const { status, headers, errors } = await service.ask('GET', '/ready', { key: null })
      expect([status, headers.get('retry-after')]).to.deep.equal([503, '5'])
      expect(errors).to.include('store: its schema is older than this version; restart the service')
    } finally {
      await service.stop()
    }
  })
})

describe('A process', () => {
  const eventLoop = { waitMs: () => 0 }
  const aStore = () => openStore(':memory:', Buffer.alloc(32))
  const { signal: stopping } = new AbortController()

  it('is not ready while its store does not answer', async () => {
    const store = await aStore()
    const readiness = createReadiness({ store, eventLoop, workers: () => [onTime], stopping })
    expect(await readiness.problems()).to.deep.equal([])
    await store.close()
    expect(await readiness.problems()).to.deep.equal(['store: does not answer'])
  })

  it('is not ready while a worker is late, or has not begun', async () => {
    const store = await aStore()
    const late = [
      { ...onTime, sinceRoundMs: 12_001 },
      { ...onTime, name: 'deliveries', sinceRoundMs: null },
    ]
    expect(await createReadiness({ store, eventLoop, workers: () => late, stopping }).problems()).to.deep.equal([
      'workers: ingestion is late',
      'workers: deliveries is late',
    ])
    await store.close()
  })

  it('is not ready when it stops', async () => {
    const store = await aStore()
    const stopping = new AbortController()
    const readiness = createReadiness({ store, eventLoop, workers: () => [onTime], stopping: stopping.signal })
    expect(await readiness.problems()).to.deep.equal([])
    stopping.abort()
    expect(await readiness.problems()).to.deep.equal(['service: is stopping'])
    await store.close()
  })

  it('is not ready while its event loop keeps requests waiting', async () => {
    const store = await aStore()
    const busy = { waitMs: () => READY_LIMITS_MS.eventLoop + 1 }
    expect(await createReadiness({ store, eventLoop: busy, workers: () => [], stopping }).problems()).to.deep.equal([
      'event loop: requests wait for it longer than 0.5 s; send them to another instance',
    ])
    await store.close()
  })
})

describe('A store that keeps requests waiting', () => {
  const { signal: stopping } = new AbortController()
  const parts = { eventLoop: { waitMs: () => 0 }, workers: () => [], stopping }
  const slow = 'store: requests wait for it longer than 2 s; send them to another instance'
  let postgres: TestPostgres | undefined
  before(async function () {
    this.timeout(60_000)
    postgres = await aPostgres()
  })

  const kinds: [string, () => Promise<string>][] = [
    ['SQLite', async () => ':memory:'],
    ['PostgreSQL', () => postgres!.database()],
  ]
  for (const [kind, place] of kinds)
    it(`makes the process unready and the health check 503, until it is free again: ${kind}`, async () => {
      const store = await openStore({ data: await place(), connections: 1 }, Buffer.alloc(32))
      const readiness = createReadiness({ store, ...parts })
      expect(await readiness.problems()).to.deep.equal([])
      let release = () => {}
      const isHeld = new Promise<void>((resolve) => {
        release = resolve
      })
      let hasBegun = false
      // Its one connection is held, as by a transaction that never ends.
      const holding = store.atOnce(async ({ people }) => {
        await people.findForSignIn('nobody@example.org')
        hasBegun = true
        await isHeld
      })
      await eventually(() => expect(hasBegun).to.equal(true))
      const waiting = Array.from({ length: 20 }, () => store.sessions.end('none').catch(() => {}))
      await eventually(() => expect(store.queue().waiting).to.equal(20))
      await eventually(async () => expect(await readiness.problems()).to.deep.equal([slow]))
      const { waiting: before } = store.queue()
      const checks = Array.from({ length: 300 }, () => healthOf(store))
      await turn()
      // All of them are one more statement that waits.
      expect(store.queue().waiting).to.be.at.most(before + 1)
      const found = new Set(await Promise.all(checks))
      expect(found).to.deep.equal(new Set(['unavailable: The store does not answer.']))
      release()
      await holding
      await Promise.all(waiting)
      await eventually(async () => expect(await readiness.problems()).to.deep.equal([]))
      expect(await healthOf(store)).to.equal('ok')
      expect(store.queue()).to.deep.equal({ waiting: 0, oldestMs: 0 })
      await store.close()
    }).timeout(60_000)

  async function healthOf(store: Store): Promise<string> {
    try {
      return (await run({ shared: store, stopping } as never, {} as never)).status!
    } catch (refusal) {
      return `${(refusal as Refusal).kind}: ${(refusal as Refusal).message}`
    }
  }
})

describe('The wait for an event loop', () => {
  it('is half of the interval between its turns, and weighs long ones by their length', () => {
    expect(expectedWaitMs({ mean: Number.NaN, stddev: Number.NaN })).to.equal(0)
    expect(expectedWaitMs({ mean: 100e6, stddev: 0 })).to.equal(50)
    // Nine turns after 100 ms each, and one after 4,100 ms: most requests come in the long one.
    expect(expectedWaitMs({ mean: 500e6, stddev: 1_200e6 })).to.equal(1_690)
  })

  it('is measured', async () => {
    const stopping = new AbortController()
    const { waitMs } = watchEventLoop(stopping.signal)
    await eventually(() => expect(waitMs()).to.be.above(0))
    stopping.abort()
  })
})
