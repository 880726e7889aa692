/** Replay: a request of a sender is sent again, a webhook reaches its receiver again, and what came of each is said. */
import { expect } from 'chai'
import type { Exchange } from '../../../server/operations/sandbox/traffic/exchange.ts'
import { createOriginals, type OriginalRequest } from '../../../server/operations/sandbox/traffic/originals.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

interface Replay {
  exchange: Exchange | null
  outcome: string
}

describe('replay in a sandbox', () => {
  let service: TestService
  let receiver: TestReceiver
  before(async () => {
    ;[service, receiver] = await Promise.all([aService(), TestReceiver.start()])
  })
  after(() => Promise.all([service?.stop(), receiver?.stop()]))
  beforeEach(() => service.ask('POST', '/sandbox/v1/reset', { body: { everything: true } }))

  const seen = async (query: string) => {
    const { body } = await service.ask<{ requests: Exchange[] }>('GET', `/sandbox/v1/requests?waitSeconds=20&${query}`)
    return body.requests
  }
  const replay = (id: number, body?: object, key = service.key) =>
    service.ask<Replay>('POST', `/sandbox/v1/requests/${id}/replay`, { key, ...(body && { body }) })

  it('of a create looks for its externalDocId first, as a sender must, and makes no second task', async () => {
    const taskId = await service.create(aCreateBody({ document: { externalDocId: 'EHR|AGAIN' } }))
    const [made] = await seen('operation=createTask')
    const { status, body } = await replay(made!.id)
    expect(status).to.equal(200)
    expect(body.exchange).to.equal(null)
    expect(body.outcome).to.equal(`Not sent: task ${taskId} has externalDocId EHR|AGAIN already.`)
    expect(await service.client.listTasks()).to.have.length(1)
  })

  it('of a create whose task was never made sends its bytes, and the task is made', async () => {
    const fault = { on: 'request', operation: 'createTask', fault: 'refuse', status: 503, times: 1 }
    await service.ask('POST', '/sandbox/v1/faults', { body: fault })
    const create = aCreateBody({ document: { externalDocId: 'EHR|REFUSED' } })
    expect((await service.ask('POST', '/api/v1/signature/tasks', { body: create })).status).to.equal(503)
    const [refused] = await seen('operation=createTask&status=503')
    const { body } = await replay(refused!.id)
    expect(body.outcome).to.match(/^Answered 201\. Task \d+ was made\.$/)
    await service.reaches(body.exchange!.taskId!, 'Pending')
    const { body: second } = await replay(refused!.id)
    expect(second.outcome).to.match(/^Not sent: task \d+ has externalDocId EHR\|REFUSED already\.$/)
  })

  it('of a create without looking makes a second task, and says so', async () => {
    const first = await service.create(aCreateBody({ document: { externalDocId: 'EHR|TWICE' } }))
    const [made] = await seen('operation=createTask')
    const { body } = await replay(made!.id, { lookFirst: false })
    expect(body.exchange).to.include({ operation: 'createTask', status: 201, replayOf: made!.id })
    expect(body.outcome).to.equal(`Answered 201. A second task was made: ${body.exchange!.taskId} after ${first}.`)
    const tasks = await service.client.listTasks({ query: { externalDocId: 'EHR|TWICE' } })
    expect(tasks.map(({ taskId }) => taskId)).to.have.members([first, body.exchange!.taskId])
    await service.reaches(body.exchange!.taskId!, 'Pending')
  })

  it('of another request sends it with its query, and is hit by faults as the first was not', async () => {
    await service.client.listTasks({ query: { externalDocId: 'EHR|NONE' } })
    const [listed] = await seen('operation=listTasks')
    expect((await replay(listed!.id)).body.exchange).to.include({ url: listed!.url, status: 200, replayOf: listed!.id })
    const fault = { on: 'request', operation: 'listTasks', fault: 'refuse', status: 429, times: 1 }
    await service.ask('POST', '/sandbox/v1/faults', { body: fault })
    const { body } = await replay(listed!.id)
    expect(body.outcome).to.equal('Answered 429.')
    expect(body.exchange).to.include({ fault: 'refuse' })
  })

  it('of a webhook reaches its receiver once more, with the same id and bytes and a signature for now', async () => {
    const { secret } = await service.client.createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)
    const taskId = await service.create(aCreateBody())
    const first = await receiver.until(({ event }) => event?.taskId === taskId)
    const [webhook] = await seen(`direction=webhook&taskId=${taskId}`)
    const { body } = await replay(webhook!.id)
    expect(body.exchange).to.include({ direction: 'webhook', status: 204, replayOf: webhook!.id, isVerified: true })
    expect(body.outcome).to.equal(`Answered 204. The receiver got Pending of task ${taskId} again, with the same id.`)
    const got = receiver.received.filter(({ event }) => event?.taskId === taskId)
    expect(got).to.have.length(2)
    expect(got[1]!.body).to.deep.equal(got[0]!.body)
    expect(first).to.equal(got[0])
    const { body: due } = await service.ask<{ webhooks: unknown[] }>('GET', '/sandbox/v1/clock/due')
    expect(due.webhooks, 'the delivery stays delivered').to.deep.equal([])

    for (const { id } of await service.client.listSubscriptions())
      await service.client.deleteSubscription({ params: { id } })
    const refused = await replay(webhook!.id)
    expect(refused.status).to.equal(409)
    expect(refused.errors.join()).to.include('No subscription')
    expect(receiver.received.filter(({ event }) => event?.taskId === taskId)).to.have.length(2)
  })

  it('is refused for what another sender sent, and for what is no longer remembered', async () => {
    await service.create(aCreateBody())
    const [made] = await seen('operation=createTask')
    const other = await service.ask<unknown>('POST', `/sandbox/v1/requests/${made!.id}/replay`, {
      key: service.otherKey,
    })
    expect(other.status).to.equal(404)
    await service.ask('DELETE', '/sandbox/v1/requests')
    expect((await replay(made!.id)).status).to.equal(404)
    for (const id of ['0', '-1', 'x', '1.5']) {
      const { status } = await service.ask('POST', `/sandbox/v1/requests/${id}/replay`)
      expect(status, id).to.be.oneOf([400, 404])
    }
  })

  it('keeps so many bytes, and forgets the oldest first', () => {
    const originals = createOriginals()
    const original = (bytes: number): OriginalRequest => ({ is: 'request', bytes, headers: {}, body: Buffer.alloc(0) })
    for (let id = 1; id <= 5; id++) originals.keep(id, original(8 * 1024 * 1024))
    expect([1, 2, 3, 4, 5].map((id) => originals.find(id) !== undefined)).to.deep.equal([
      false,
      false,
      true,
      true,
      true,
    ])
    originals.forget(4)
    originals.keep(6, original(8 * 1024 * 1024))
    expect([3, 5, 6].every((id) => originals.find(id))).to.equal(true)
  })
})
