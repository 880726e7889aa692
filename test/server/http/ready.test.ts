/** Whether a process is ready: asked over HTTP, and in the states that a running service does not get into by itself. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { openStore } from '../../../server/store/store.ts'
import { createReadiness } from '../../../server/workers/readiness.ts'
import { aFolder } from '../../support/a-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { aService } from '../../support/service/a-service.ts'

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
      database.exec("DELETE FROM kysely_migration WHERE name = '0008-operator-keys'")
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
  const aStore = () => openStore(':memory:', Buffer.alloc(32))
  const { signal: stopping } = new AbortController()

  it('is not ready while its store does not answer', async () => {
    const store = await aStore()
    const readiness = createReadiness({ store, workers: () => [onTime], stopping })
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
    expect(await createReadiness({ store, workers: () => late, stopping }).problems()).to.deep.equal([
      'workers: ingestion is late',
      'workers: deliveries is late',
    ])
    await store.close()
  })

  it('is not ready when it stops', async () => {
    const store = await aStore()
    const stopping = new AbortController()
    const readiness = createReadiness({ store, workers: () => [onTime], stopping: stopping.signal })
    expect(await readiness.problems()).to.deep.equal([])
    stopping.abort()
    expect(await readiness.problems()).to.deep.equal(['service: is stopping'])
    await store.close()
  })
})
