/** Back to the beginning: what one organization did is gone, and nothing of another; and a production service has none of this. */
import { expect } from 'chai'
import { pino } from 'pino'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { countersign } from '../../support/service/served.ts'
import { aPostgres, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'

const masterKey = Buffer.alloc(32, 7).toString('base64')

describe('the reset of a sandbox', () => {
  let service: TestService
  let receiver: TestReceiver
  before(async () => {
    ;[service, receiver] = await Promise.all([aService(), TestReceiver.start()])
    const { secret } = await service.client.createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)
  })
  after(() => Promise.all([service.stop(), receiver.stop()]))

  async function aSignedTask(as = service.key): Promise<number> {
    const { taskId } = await service.clientOf(as).createTask({ body: aCreateBody() })
    await service.reaches(taskId, 'Pending', as)
    await service.signs(taskId, as)
    return taskId
  }
  const reset = (key?: string | null) => service.ask('POST', '/sandbox/v1/reset', key === undefined ? {} : { key })

  it('takes tasks, documents, patients, events, deliveries and used ids of the organization, and no others', async () => {
    const mine = await aSignedTask()
    const theirs = await aSignedTask(service.otherKey)
    const query = { externalSavedDocumentId: 'SAVED-1' }
    await service.client.updateTask({ params: { id: mine }, query })
    await receiver.until(({ event }) => event?.status === 'Completed')

    const told = async (taskId: number) =>
      (await service.ask<{ state: string; log: unknown[] }[]>('GET', `/sandbox/v1/tasks/${taskId}/deliveries`)).body
    expect((await told(mine)).map(({ state, log }) => [state, log.length])).to.deep.equal(
      Array(2).fill(['delivered', 1]),
    )

    expect((await reset()).status).to.equal(204)
    expect((await service.ask('GET', `/api/v1/signature/tasks/${mine}`)).status).to.equal(404)
    expect(await told(mine)).to.deep.equal([])
    expect(await service.client.listTasks()).to.deep.equal([])
    expect((await service.other.readTask({ params: { id: theirs } })).status).to.equal('Completed')
  })

  it('leaves the deliveries of another organization unseen', async () => {
    const { secret } = await service.other.createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)
    const theirs = await aSignedTask(service.otherKey)
    await receiver.until(({ event }) => event?.taskId === theirs && event.status === 'Completed')
    const path = `/sandbox/v1/tasks/${theirs}/deliveries`
    expect((await service.ask<unknown[]>('GET', path, { key: service.otherKey })).body).to.have.length(2)
    expect((await service.ask('GET', path)).body).to.deep.equal([])
  })

  it('keeps keys, templates and subscriptions, so that everything can begin anew', async () => {
    const before = receiver.received.length
    const again = await aSignedTask()
    await service.client.updateTask({ params: { id: again }, query: { externalSavedDocumentId: 'SAVED-1' } })
    await receiver.until(() => receiver.received.length === before + 2)
    expect(await service.client.listTemplates()).to.have.length.above(0)
    expect(receiver.statusesOf(again)).to.deep.equal(['Pending', 'Completed'])
  })

  it('ends planned faults', async () => {
    const body = { on: 'request', operation: 'createTask', fault: 'refuse' }
    await service.ask('POST', '/sandbox/v1/faults', { body })
    await reset()
    expect((await service.ask('GET', '/sandbox/v1/faults')).body).to.deep.equal([])
  })

  it('may come while documents are on their way, and disturbs nothing after it', async () => {
    const lines: string[] = []
    const busy = await aService({ logger: pino({}, { write: (line) => void lines.push(line) }) })
    await Promise.all(Array.from({ length: 8 }, () => busy.create(aCreateBody())))
    expect((await busy.ask('POST', '/sandbox/v1/reset')).status).to.equal(204)
    const taskId = await busy.create(aCreateBody())
    await busy.reaches(taskId, 'Pending')
    expect(await busy.client.listTasks()).to.have.length(1)
    await busy.stop()
    expect(lines.filter((line) => line.includes('fault'))).to.deep.equal([])
  })

  it('wants a key', async () => {
    expect((await reset(null)).status).to.equal(401)
    expect((await reset(`${service.key}x`)).status).to.equal(403)
  })

  it('is in the audit log, which stays whole', async () => {
    const data = aFolder()
    const kept = await aService({ data })
    await kept.create(aCreateBody())
    await kept.ask('POST', '/sandbox/v1/reset')
    await kept.stop()
    expect((await countersign(['audit', 'verify', '--data', data])).code).to.equal(0)
    const { stdout } = await countersign(['audit', 'export', '--data', data])
    const actions = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { action: string }).action)
    expect(actions).to.include('task.create')
    expect(actions.at(-1)).to.equal('sandbox.reset')
  })

  it('is not there in production, nor anything else of the control plane', async () => {
    const key = Buffer.alloc(32, 7).toString('base64')
    const production = await aService({ sandbox: false, masterKey: key })
    for (const [method, path] of [
      ['POST', '/reset'],
      ['GET', '/clock'],
      ['POST', '/clock'],
      ['GET', '/faults'],
      ['POST', '/faults'],
      ['DELETE', '/faults'],
      ['DELETE', '/faults/1'],
      ['GET', '/tasks/1/deliveries'],
      ['POST', '/tasks/1/sign'],
    ] as [string, string][])
      expect((await production.ask(method, `/sandbox/v1${path}`)).status, `${method} ${path}`).to.equal(404)
    await production.stop()
  })
})

/** A receiver that is switched off by its 410, the clock days ahead, people and an agency added: what a day of demonstrations leaves behind. */
for (const [name, place] of Object.entries({ memory: null, PostgreSQL: () => aPostgres() }))
  describe(`the reset of everything in a sandbox in ${name}`, () => {
    let postgres: TestPostgres | undefined
    let service: TestService
    let receiver: TestReceiver
    let operator: Visit
    before(async () => {
      postgres = await place?.()
      const data = postgres ? await postgres.database() : ':memory:'
      ;[service, receiver] = await Promise.all([aService({ data, masterKey }), TestReceiver.start()])
      operator = aVisit(service.baseUrl)
      await operator.signInAs('Service operator')
    })
    after(async () => {
      await Promise.all([service?.stop(), receiver?.stop()])
      await postgres?.stop()
    })

    const everything = (key = service.key) =>
      service.ask('POST', '/sandbox/v1/reset', { key, body: { everything: true } })
    const onPage = (method: string, path: string, body: unknown) =>
      operator.ask(method, path, body, { 'x-page-place': 'console' })
    const admin = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
      (await operator.ask<T>(method, `/admin/v1${path}`, body)).body
    /** All that people see of the directory, without the times at which it was made. */
    const directory = async () => {
      const parts = ['organizations', 'providers', 'accounts', 'templates', 'document-types']
      const lists = await Promise.all(parts.map((part) => admin<object[]>('GET', `/${part}`)))
      return JSON.stringify(lists)
    }
    async function aDay() {
      const { id, secret } = await service.client.createSubscription({ body: { url: receiver.url } })
      receiver.secrets.push(secret)
      receiver.status = 410
      const { taskId } = await service.client.createTask({ body: aCreateBody() })
      await service.reaches(taskId, 'Pending')
      await eventually(async () => {
        const [subscription] = (await service.client.listSubscriptions()).filter((one) => one.id === id)
        expect(subscription?.isActive).to.equal(false)
      })
      await service.ask('POST', '/sandbox/v1/catchers', { body: { name: 'mine' } })
      await service.ask('POST', '/sandbox/v1/faults', { body: { on: 'request', fault: 'refuse', times: 1 } })
      await service.ask('POST', '/sandbox/v1/signers/9999900035', { body: { act: 'sign', afterSeconds: 1 } })
      const organizations = await admin<{ id: number; name: string }[]>('GET', '/organizations')
      const lakeside = organizations.find(({ name }) => name === 'Lakeside Family Practice')!.id
      await admin('PATCH', `/organizations/${lakeside}`, { allowsDelegation: true })
      await admin('POST', '/organizations', { name: 'A new agency', addresses: [], ingestionEnabled: true })
      const added = { npi: '9999900100', firstName: 'Zoe', lastName: 'Ziegler', signingName: 'Zoe Ziegler MD' }
      await admin('POST', '/providers', { ...added, organizationIds: [lakeside] })
      await admin('PATCH', '/providers/9999900035', { isActive: false })
      await service.ask('POST', '/sandbox/v1/clock', { body: { advanceSeconds: 3 * 24 * 60 * 60 } })
      return taskId
    }

    it('is as after the start: directory, clock, receivers, catchers, choices, and the ids of tasks; with the keys kept', async () => {
      const before = await directory()
      const first = await aDay()
      expect(await directory()).to.not.equal(before)
      expect((await everything()).status).to.equal(204)
      expect(await directory()).to.equal(before)
      expect((await service.ask<{ aheadSeconds: number }>('GET', '/sandbox/v1/clock')).body.aheadSeconds).to.equal(0)
      expect((await service.ask('GET', '/sandbox/v1/catchers')).body).to.deep.equal([])
      expect((await service.ask('GET', '/sandbox/v1/faults')).body).to.deep.equal([])
      expect(await service.client.listTasks()).to.deep.equal([])
      const subscriptions = await service.client.listSubscriptions()
      expect(subscriptions.map(({ url, isActive }) => [url, isActive])).to.deep.equal([[receiver.url, true]])

      receiver.status = 200
      const { taskId } = await service.client.createTask({ body: aCreateBody() })
      expect(taskId).to.equal(first)
      await service.reaches(taskId, 'Pending')
      await service.signs(taskId)
      await receiver.until(({ event }) => event?.taskId === taskId && event.status === 'Completed')
      const { story } = await admin<{ story: { action: string }[] }>('GET', `/tasks/${taskId}`)
      expect(JSON.stringify(story).match(/Received/g)).to.have.length(1)
    })

    it('is refused to a sender while another one has tasks, and granted to an operator', async () => {
      const { taskId } = await service.other.createTask({ body: aCreateBody() })
      await service.reaches(taskId, 'Pending', service.otherKey)
      expect((await everything()).status).to.equal(409)
      expect(await service.other.listTasks()).to.have.length(1)
      expect((await onPage('POST', '/sandbox/v1/reset', { everything: true })).status).to.equal(204)
      expect(await service.other.listTasks()).to.deep.equal([])
      expect((await operator.ask('GET', '/admin/v1/organizations')).status).to.equal(200)
    })
  })
