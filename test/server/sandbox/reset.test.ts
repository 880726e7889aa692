/** Back to the beginning: what one organization did is gone, and nothing of another; and a production service has none of this. */
import { expect } from 'chai'
import { pino } from 'pino'
import { aFolder } from '../../support/a-folder.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { countersign } from '../../support/service/served.ts'

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
