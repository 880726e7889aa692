/** A service whose PostgreSQL is away for a while: what each door answers meanwhile, what the log says, and how it goes on. */
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { makeKey } from '../../server/keys/api-key.ts'
import { aTcpProxy, type TcpProxy } from '../support/network/a-tcp-proxy.ts'
import { TestReceiver } from '../support/network/test-receiver.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { aPostgres, type TestPostgres } from '../support/store/postgres/a-postgres.ts'

const AWAY = 'The store does not answer. Nothing was changed; try again in 2 seconds.'

describe('While its PostgreSQL is away, a service', function () {
  this.timeout(60_000)
  let postgres: TestPostgres | undefined
  let proxy: TcpProxy | undefined
  let service: TestService | undefined
  let receiver: TestReceiver | undefined
  const logged: { msg: string; reason?: string; status?: number }[] = []
  const log = new Writable({
    write(line, _encoding, done) {
      logged.push(JSON.parse(String(line)))
      done()
    },
  })
  before(async () => {
    postgres = await aPostgres()
    proxy = await aTcpProxy({ host: '127.0.0.1', port: Number(new URL(postgres.url).port) })
    const data = new URL(await postgres.database())
    data.port = String(proxy.port)
    const masterKey = randomBytes(32).toString('base64')
    service = await aService({ data: data.href, masterKey, logger: pino({ base: null }, log) })
    receiver = await TestReceiver.start()
    receiver.secrets.push((await service.client.createSubscription({ body: { url: receiver.url } })).secret)
  })
  after(async () => {
    await service?.stop()
    await receiver?.stop()
    await proxy?.close()
    await postgres?.stop()
  })

  const visitor = { key: null, headers: { cookie: `countersign=${randomBytes(32).toString('base64url')}` } }
  const doors: [name: string, method: string, path: string, asking?: object][] = [
    ['senders', 'GET', '/api/v1/documenttypes'],
    ['creates', 'POST', '/api/v1/signature/tasks', { body: aCreateBody() }],
    ['signers', 'GET', '/inbox/api/documents', visitor],
    ['operators', 'GET', '/admin/v1/tasks', visitor],
    ['operators with a key', 'GET', '/admin/v1/tasks', { key: makeKey('test', randomBytes, 'operator').key }],
    ['visitors of the pages', 'GET', '/account/api/session', visitor],
    ['the control plane of a sandbox', 'GET', '/sandbox/v1/clock'],
  ]

  it('answers 503 with Retry-After at every door and for its health, logs one line, and goes on when it is back', async () => {
    const waiting = await service!.create(aCreateBody())
    await service!.reaches(waiting, 'Pending')
    await proxy!.close()
    for (const [name, method, path, asking] of doors) {
      const { status, headers, errors } = await service!.ask(method, path, asking)
      expect([status, headers.get('retry-after'), errors], name).to.deep.equal([503, '2', [AWAY]])
    }
    const health = await service!.ask('GET', '/health-check', { key: null })
    expect([health.status, health.errors]).to.deep.equal([503, ['The store does not answer.']])
    // Long enough for every worker to look in vain.
    await pause(2_500)

    await proxy!.open()
    await pause(1_500)
    const { status } = await service!.ask('GET', '/health-check', { key: null })
    expect(status).to.equal(200)
    const created = await service!.create(aCreateBody())
    await service!.reaches(created, 'Pending')
    await receiver!.until(({ event }) => event?.taskId === created)
    await service!.signs(waiting)
    await receiver!.until(({ event }) => event?.taskId === waiting && event.status === 'Completed')

    // A worker may have been cut off in its commit, which the log tells as well.
    const told = logged.filter(({ msg }) => msg !== undefined && msg !== 'a commit was not answered')
    expect(told.map(({ msg, reason }) => [msg, reason])).to.deep.equal([
      ['the store is away', 'ECONNREFUSED'],
      ['the store is back', undefined],
    ])
  })

  it('says after a lost commit how a create is found', async () => {
    proxy!.cutOnce({ since: 'insert into "task"', words: 'commit', when: 'after' })
    const body = aCreateBody({ document: { externalDocId: 'lost-answer' } })
    const { status, headers, errors } = await service!.ask('POST', '/api/v1/signature/tasks', { body })
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '2'])
    expect(errors).to.deep.equal([
      'The answer of the store was lost, so it is not known whether this was done. List the tasks with its externalDocId: if it is not among them, send it again.',
    ])
    const found = await service!.client.listTasks({ query: { externalDocId: 'lost-answer' } })
    expect(found).to.have.length(1)
    await service!.reaches(found[0]!.taskId, 'Pending')
  })
})
