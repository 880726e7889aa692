/** Two instances of the service on one PostgreSQL: what one accepted, the other knows; and what they say when it is gone. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import type { Task } from '../../lib/contract/task/task.ts'
import { aVisit } from '../support/browser/a-visit.ts'
import { eventually } from '../support/eventually.ts'
import { listenTo } from '../support/network/server-sent.ts'
import { TestReceiver } from '../support/network/test-receiver.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { aPostgres, query, type TestPostgres } from '../support/store/postgres/a-postgres.ts'

describe('Two instances on one PostgreSQL', function () {
  this.timeout(60_000)
  let postgres: TestPostgres | undefined
  let data: string
  let one: TestService
  let two: TestService
  let receiver: TestReceiver
  let key: string
  before(async () => {
    postgres = await aPostgres()
    data = await postgres.database()
    const masterKey = randomBytes(32).toString('base64')
    one = await aService({ data, masterKey })
    two = await aService({ data, masterKey })
    key = one.key
    receiver = await TestReceiver.start()
  })
  after(async () => {
    await Promise.all([one?.stop(), two?.stop(), receiver?.stop()])
    await postgres?.stop()
  })

  const read = async (service: TestService, id: number) =>
    (await service.ask<Task>('GET', `/api/v1/signature/tasks/${id}?includeOutputAttachment=true`, { key })).body

  it('seed the demo data once', () => {
    expect(two.service.apiKeys).to.deep.equal([])
  })

  it('share their work: each task comes to its signer once, each event to its receiver once', async () => {
    const { secret } = await one.client.createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)
    const create = (n: number) =>
      (n % 2 ? one : two).ask<{ taskId: number }>('POST', '/api/v1/signature/tasks', { key, body: aCreateBody() })
    const created = await Promise.all(Array.from({ length: 8 }, (_, n) => create(n)))
    const ids = created.map(({ body }) => body.taskId)
    expect(new Set(ids).size).to.equal(8)
    for (const id of ids) await two.reaches(id, 'Pending', key)
    const documents = await Promise.all(ids.map(async (id) => (await read(one, id)).documentId))
    expect(new Set(documents).size).to.equal(8)

    const [first] = ids as [number]
    const outcomes = await Promise.all([
      one.ask('POST', `/sandbox/v1/tasks/${first}/sign`, { key, body: {} }),
      two.ask('POST', `/sandbox/v1/tasks/${first}/reject`, { key, body: {} }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal([204, 409])
    const { status, output } = await read(two, first)
    expect(status === 'Completed').to.equal(output?.attachment !== undefined)

    for (const id of ids) await receiver.until(({ event }) => event?.taskId === id && event.status === 'Pending')
    await receiver.until(({ event }) => event?.taskId === first && event.status === status)
    const events = receiver.received.map(({ event }) => event!.eventId)
    expect(events).to.have.length(9)
    expect(new Set(events).size).to.equal(9)
  })

  it('tell an inbox that is open at one of what comes in at the other', async () => {
    const visit = aVisit(one.baseUrl)
    await visit.signInAs('Ruth Calder DO')
    const stream = await listenTo(`${one.baseUrl}/inbox/api/changes`, { cookie: visit.cookie })
    await stream.told(1)
    const before = stream.count()
    const { body } = await two.ask<{ taskId: number }>('POST', '/api/v1/signature/tasks', { key, body: aCreateBody() })
    await two.reaches(body.taskId, 'Pending', key)
    await stream.told(before + 1)
    await stream.leave()
  })

  it('answer 503 when the store does not answer, for their health and for calls (choice: Health, Store away)', async () => {
    expect((await one.ask('GET', '/health-check')).status).to.equal(200)
    await query(data.replace(/[^/]+$/, 'postgres'), `DROP DATABASE ${data.split('/').at(-1)} WITH (FORCE)`)
    // A store that has just answered is not asked again.
    await eventually(async () => {
      const { status, errors } = await one.ask('GET', '/health-check', { key: null })
      expect({ status, errors }).to.deep.equal({ status: 503, errors: ['The store does not answer.'] })
    }, 2_000)
    const { status, errors, headers } = await one.ask('GET', '/api/v1/documenttypes', { key })
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '2'])
    expect(errors).to.deep.equal(['The store does not answer. Nothing was changed; try again in 2 seconds.'])
  })
})
