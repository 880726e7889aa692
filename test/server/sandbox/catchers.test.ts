/** Catchers: the sandbox receives its own webhooks, verifies them, and answers as it was told to. */
import { expect } from 'chai'
import type { CatcherState } from '../../../server/operations/sandbox/messages.ts'
import type { Exchange } from '../../../server/operations/sandbox/traffic/exchange.ts'
import { eventually } from '../../support/eventually.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

describe('the catchers of a sandbox', () => {
  let service: TestService
  beforeEach(async () => {
    // http receivers are refused, and a catcher is allowed all the same.
    service = await aService({ allowHttpWebhooks: false })
  })
  afterEach(() => service.stop())

  const put = (body: object, key = service.key) =>
    service.ask<CatcherState>('POST', '/sandbox/v1/catchers', { body, key })
  const list = async (key = service.key) =>
    (await service.ask<CatcherState[]>('GET', '/sandbox/v1/catchers', { key })).body
  const caught = async (count: number) => {
    const query = `direction=caught&count=${count}&waitSeconds=20`
    return (await service.ask<{ requests: Exchange[] }>('GET', `/sandbox/v1/requests?${query}`)).body.requests
  }
  const attempts = async (taskId: number) =>
    (
      await service.ask<{ state: string; log: { status: number | null }[] }[]>(
        'GET',
        `/sandbox/v1/tasks/${taskId}/deliveries`,
      )
    ).body
  const aTask = async () => {
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    return taskId
  }

  it('subscribe, receive every change of status, verify it, and list it', async () => {
    const { status, body } = await put({ name: 'mine' })
    expect(status).to.equal(201)
    expect(body).to.include({ name: 'mine', answer: 'ok', isSubscribed: true })
    expect(body.url).to.equal(`${service.baseUrl}/sandbox/catch/mine`)
    const taskId = await aTask()
    await service.signs(taskId)
    const requests = await caught(2)
    expect(
      requests.map(({ operation, isVerified, status: answered }) => [operation, isVerified, answered]),
    ).to.deep.equal([
      ['Pending', true, 200],
      ['Completed', true, 200],
    ])
    expect(requests[0]).to.include({ taskId, method: 'POST', url: '/sandbox/catch/mine' })
    await eventually(async () =>
      expect((await attempts(taskId)).map(({ state }) => state)).to.deep.equal(['delivered', 'delivered']),
    )
  })

  it('show what cannot be believed', async () => {
    await put({ name: 'mine' })
    for (const body of ['{"taskId":1,"status":"Completed"}', 'no JSON', '']) {
      const answer = await fetch(`${service.baseUrl}/sandbox/catch/mine`, { method: 'POST', body })
      expect(answer.status).to.equal(200)
    }
    expect((await caught(3)).map(({ operation, isVerified }) => [operation, isVerified])).to.deep.equal([
      ['Completed', false],
      ['unknown', false],
      ['unknown', false],
    ])
  })

  it('verify with the secret of a subscription that the sender made', async () => {
    await put({ name: 'mine', subscribe: false })
    const url = `${service.baseUrl}/sandbox/catch/mine`
    const { secret } = await service.client.createSubscription({ body: { url } })
    await put({ name: 'mine', secret })
    await aTask()
    expect((await caught(1))[0]).to.include({ operation: 'Pending', isVerified: true })
  })

  for (const [answer, status] of [
    ['error', 500],
    ['gone', 410],
  ] as const)
    it(`answer ${status} when told to, and the service acts on it`, async () => {
      await put({ name: 'mine', answer })
      const taskId = await aTask()
      await eventually(async () => expect((await attempts(taskId))[0]!.log[0]).to.include({ status }))
      const [subscription] = await service.client.listSubscriptions()
      expect(subscription!.isActive).to.equal(answer === 'error')
    })

  it('answer late or never, and are set otherwise at any time', async () => {
    await put({ name: 'mine', answer: 'never' })
    const url = `${service.baseUrl}/sandbox/catch/mine`
    const controller = new AbortController()
    const waiting = fetch(url, { method: 'POST', body: '{}', signal: controller.signal }).catch(
      (error: Error) => error.name,
    )
    expect((await caught(1))[0]).to.include({ status: null })
    controller.abort()
    expect(await waiting).to.equal('AbortError')
    expect((await put({ name: 'mine', answer: 'ok' })).body.answer).to.equal('ok')
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).to.equal(200)
    expect(await service.client.listSubscriptions()).to.have.length(1)
  })

  it('belong to one organization, under a name that no other has', async () => {
    await put({ name: 'mine' })
    expect((await put({ name: 'mine' }, service.otherKey)).status).to.equal(409)
    expect(await list(service.otherKey)).to.deep.equal([])
    const remove = (key: string) => service.ask('DELETE', '/sandbox/v1/catchers/mine', { key })
    expect((await remove(service.otherKey)).status).to.equal(404)
    expect((await remove(service.key)).status).to.equal(204)
    expect(await list()).to.deep.equal([])
    expect(await service.client.listSubscriptions()).to.deep.equal([])
  })

  it('belong to one organization, also when two ask for a name at once', async () => {
    const answers = await Promise.all([put({ name: 'mine' }), put({ name: 'mine' }, service.otherKey)])
    expect(answers.map(({ status }) => status)).to.have.members([201, 409])
    const subscribed = await Promise.all([service.client, service.other].map((client) => client.listSubscriptions()))
    expect(subscribed.flat()).to.have.length(1)
  })

  it('answer 410 under a name that none has, so that a subscription to it ends', async () => {
    expect((await fetch(`${service.baseUrl}/sandbox/catch/other`, { method: 'POST' })).status).to.equal(410)
  })

  it('are the only receivers on this machine that are allowed without the setting', async () => {
    for (const url of [
      `${service.baseUrl}/sandbox/v1/reset`,
      `${service.baseUrl}/sandbox/catch/../v1/reset`,
      'http://127.0.0.1:1/sandbox/catch/mine',
      `${service.baseUrl.replace('://', '://user:pass@')}/sandbox/catch/mine`,
    ]) {
      const refused = await service.client.createSubscription({ body: { url } }).catch((failure: unknown) => failure)
      expect(refused, url).to.include({ name: 'RefusedError', status: 400 })
    }
  })

  it('take no name that is no name, and no unknown answer', async () => {
    for (const body of [{ name: 'Mine' }, { name: '' }, { name: 'a/b' }, { name: 'mine', answer: 'maybe' }, {}])
      expect((await put(body)).status, JSON.stringify(body)).to.equal(400)
  })
})
