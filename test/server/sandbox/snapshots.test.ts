/** Snapshots of a sandbox: what was there then is there again, and nothing of what came after it. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { fetchSigned } from '../../../lib/client/fetch-signed.ts'
import type { Snapshot } from '../../../server/operations/sandbox/messages.ts'
import type { SandboxContext } from '../../../server/operations/sandbox/sandbox-context.ts'
import { takeSnapshot } from '../../../server/operations/sandbox/snapshots.ts'
import { aFolder } from '../../support/a-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { countersign } from '../../support/service/served.ts'
import { aPostgres, query, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'

const masterKey = Buffer.alloc(32, 7).toString('base64')
const env = { COUNTERSIGN_MASTER_KEY: masterKey }
let postgres: TestPostgres | undefined

for (const [name, place] of Object.entries({ SQLite: async () => aFolder(), PostgreSQL: () => postgres!.database() }))
  describe(`snapshots of a sandbox in ${name}`, () => {
    let service: TestService
    let receiver: TestReceiver
    let data: string
    before(async () => {
      if (name === 'PostgreSQL') postgres = await aPostgres()
      data = await place()
      ;[service, receiver] = await Promise.all([aService({ data, masterKey }), TestReceiver.start()])
      const { secret } = await service.client.createSubscription({ body: { url: receiver.url } })
      receiver.secrets.push(secret)
    })
    after(async () => {
      await Promise.all([service.stop(), receiver.stop()])
      await postgres?.stop()
      postgres = undefined
    })
    beforeEach(() => service.ask('POST', '/sandbox/v1/reset'))

    const take = (body: object, key = service.key) =>
      service.ask<Snapshot>('POST', '/sandbox/v1/snapshots', { body, key })
    const restore = (which: string, key = service.key) =>
      service.ask('POST', `/sandbox/v1/snapshots/${which}/restore`, { key })
    const run = async (sql: string) => {
      if (data.startsWith('postgres:')) return query(data, sql)
      const database = new DatabaseSync(join(data, 'countersign.sqlite'))
      const rows = database.prepare(sql).all()
      database.close()
      return rows
    }
    const aTask = async (as = service.key) => {
      const { taskId } = await service.clientOf(as).createTask({ body: aCreateBody() })
      await service.reaches(taskId, 'Pending', as)
      return taskId
    }

    it('bring back tasks, documents, patients and what was recorded, and remove what came after them', async () => {
      const [open, signed] = [await aTask(), await aTask()]
      await service.signs(signed)
      const query = { externalSavedDocumentId: 'SAVED-1' }
      await service.client.updateTask({ params: { id: signed }, query })
      const was = await service.client.listTasks()
      const pdf = await fetchSigned(service.client, signed)
      expect((await take({ name: 'before' })).body).to.include({ name: 'before', tasks: 2 })

      await service.signs(open)
      const later = await aTask()
      expect((await restore('before')).status).to.equal(204)
      expect(await service.client.listTasks()).to.deep.equal(was)
      expect((await fetchSigned(service.client, signed)).bytes).to.deep.equal(pdf.bytes)
      expect((await service.ask('GET', `/api/v1/signature/tasks/${later}`)).status).to.equal(404)
      // The task can be signed once more, and its number is not given to another one.
      await service.signs(open)
      expect(await aTask()).to.be.greaterThan(later)
    })

    it('send no webhook of what was undone', async () => {
      receiver.status = 503
      const first = await aTask()
      await take({ name: 'before' })
      const undone = await aTask()
      await service.signs(undone)
      await restore('before')
      receiver.status = 200
      const begun = receiver.received.length
      await service.ask('POST', '/sandbox/v1/clock', { body: { advanceSeconds: 4 * 86_400 } })
      await receiver.until(({ event }) => event?.taskId === first)
      expect(receiver.received.slice(begun).filter(({ event }) => event?.taskId === undone)).to.deep.equal([])
    })

    it('concern one organization, and can be restored more than once', async () => {
      const theirs = await aTask(service.otherKey)
      await take({ name: 'empty' })
      expect((await restore('empty', service.otherKey)).status).to.equal(404)
      for (let round = 0; round < 2; round++) {
        await aTask()
        expect((await restore('empty')).status).to.equal(204)
        expect(await service.client.listTasks()).to.deep.equal([])
      }
      expect((await service.other.readTask({ params: { id: theirs } })).status).to.equal('Pending')
    })

    it('are listed, replaced, forgotten, and limited', async () => {
      for (const which of ['a', 'b', 'c']) expect((await take({ name: which })).status).to.equal(201)
      expect((await take({ name: 'a' })).status).to.equal(201)
      const list = async () =>
        (await service.ask<Snapshot[]>('GET', '/sandbox/v1/snapshots')).body.map((one) => one.name)
      expect(await list()).to.include.members(['a', 'b', 'c'])
      for (const which of ['d', 'e', 'f', 'g']) await take({ name: which })
      expect(await list()).to.have.length(5)
      expect((await take({ name: 'h' })).status).to.equal(409)
      for (const which of await list())
        expect((await service.ask('DELETE', `/sandbox/v1/snapshots/${which}`)).status).to.equal(204)
      expect((await service.ask('DELETE', '/sandbox/v1/snapshots/a')).status).to.equal(404)
      expect((await take({ name: 'Not a name' })).status).to.equal(400)
    })

    it('are no more than allowed when many are taken at once', async () => {
      const names = Array.from({ length: 8 }, (_, number) => `at-once-${number}`)
      const answers = await Promise.all(names.map((each) => take({ name: each })))
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([
        ...Array(5).fill(201),
        ...Array(3).fill(409),
      ])
      const listed = (await service.ask<Snapshot[]>('GET', '/sandbox/v1/snapshots')).body
      expect(listed).to.have.length(5)
      for (const { name: each } of listed) await service.ask('DELETE', `/sandbox/v1/snapshots/${each}`)
    })

    it('keep no more in memory than they may, however often callbacks were tried', async () => {
      await aTask()
      await eventually(async () => expect(await run('SELECT 1 FROM attempt')).to.have.length(1))
      const numbers =
        name === 'SQLite'
          ? '(WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 140000) SELECT i FROM n)'
          : '(SELECT generate_series(2, 140000) AS i)'
      const columns = 'delivery_id, trigger, started_at, duration_ms, outcome'
      await run(`INSERT INTO attempt (number, ${columns}) SELECT n.i, ${columns} FROM attempt, ${numbers} AS n`)
      const { status, errors } = await take({ name: 'large' })
      expect(status).to.equal(409)
      expect(errors.join()).to.include('too large for a snapshot')
    })

    it('leave the audit log whole', async () => {
      await aTask()
      await take({ name: 'before' })
      await aTask()
      await restore('before')
      await service.stop()
      expect((await countersign(['audit', 'verify', '--data', data], env)).code).to.equal(0)
      const { stdout } = await countersign(['audit', 'export', '--data', data], env)
      expect(stdout.trim().split('\n').at(-1)).to.include('sandbox.restore')
      service = await aService({ data, masterKey })
    })
  })

describe('the memory that snapshots of an organization take together', () => {
  const MIB = 1024 * 1024
  /** A store whose snapshots are of this size; what is limited is the sum that the operation keeps. */
  const contextOf = (bytes: number) => {
    const snapshots = new Map()
    const store = { takeSnapshot: async () => ({ bytes, tasks: 1 }) }
    const context = { snapshots, store, time: { settle: async () => {} }, organizationId: 1, at: new Date() }
    const take = (name: string) => takeSnapshot.run(context as unknown as SandboxContext, { body: { name } } as never)
    return { snapshots, take }
  }

  it('is limited, also when they are taken at once, and one that is replaced does not count', async () => {
    const { snapshots, take } = contextOf(60 * MIB)
    const taken = await Promise.allSettled(['a', 'b', 'c'].map(take))
    expect(taken.map(({ status }) => status).toSorted()).to.deep.equal(['fulfilled', 'fulfilled', 'rejected'])
    const [refused] = taken.filter((one) => one.status === 'rejected')
    expect(String(refused!.reason)).to.include('too much memory together')
    const [kept] = [...snapshots.get(1).keys()]
    await take(kept)
    expect(snapshots.get(1).size).to.equal(2)
    snapshots.get(1).delete(kept)
    await take('d')
    expect([...snapshots.get(1).keys()]).to.include('d')
  })

  it('refuses a single one that is larger than all may be', async () => {
    const { snapshots, take } = contextOf(129 * MIB)
    const refusal = await take('a').then(String, String)
    expect(refusal).to.include('too much memory together')
    expect(snapshots.size).to.equal(0)
  })
})
