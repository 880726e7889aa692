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

  it('keep their address from others as long as a subscription of theirs sends to it, also after a restart', async () => {
    await put({ name: 'mine' })
    await service.ask('DELETE', '/sandbox/v1/catchers/mine')
    const url = `${service.baseUrl}/sandbox/catch/mine`
    await service.client.createSubscription({ body: { url } })
    // As after a restart: the catcher is forgotten, and the subscription sends to its address.
    expect((await put({ name: 'mine' }, service.otherKey)).status).to.equal(409)
    expect(await list(service.otherKey)).to.deep.equal([])
    expect(await service.other.listSubscriptions()).to.deep.equal([])
    expect((await put({ name: 'mine' })).status).to.equal(201)
  })

  it('have one subscription, however often they are made again', async () => {
    await put({ name: 'mine' })
    for (let round = 0; round < 3; round++) expect((await put({ name: 'mine', subscribe: true })).status).to.equal(201)
    expect(await service.client.listSubscriptions()).to.have.length(1)
    const taskId = await aTask()
    expect((await caught(1))[0]).to.include({ taskId, isVerified: true })
  })

  describe('which anyone may send to', () => {
    const send = (body: string, headers: Record<string, string> = {}) =>
      fetch(`${service.baseUrl}/sandbox/catch/mine`, { method: 'POST', body, headers })

    it('take what is nested too deeply, and read nothing that is compressed', async () => {
      await put({ name: 'mine' })
      const deep = ['['.repeat(30_000) + ']'.repeat(30_000), `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`]
      for (const body of deep) expect((await send(body)).status).to.equal(200)
      expect((await caught(2)).map(({ operation }) => operation)).to.deep.equal(['unknown', 'unknown'])
      for (const encoding of ['gzip', 'br', 'nonsense'])
        expect((await send('{}', { 'content-encoding': encoding })).status, encoding).to.equal(415)
      expect((await send('x'.repeat(65 * 1024))).status).to.equal(413)
    })

    it('never take the places of what is verified, nor of the requests', async () => {
      await put({ name: 'mine' })
      const taskId = await aTask()
      await caught(1)
      for (let sent = 0; sent < 120; sent++) expect((await send('{}')).status).to.equal(200)
      const { requests } = (await service.ask<{ requests: Exchange[] }>('GET', '/sandbox/v1/requests')).body
      expect(requests.filter(({ isVerified }) => isVerified === false)).to.have.length(100)
      expect(requests.some(({ operation }) => operation === 'createTask')).to.equal(true)
      expect(requests.some((one) => one.taskId === taskId && one.isVerified && one.direction === 'caught')).to.equal(
        true,
      )
    })

    it('never take the places of what is verified while it waits for an answer', async () => {
      await put({ name: 'mine', answer: 'never' })
      const controller = new AbortController()
      const { signal } = controller
      const held = Array.from({ length: 20 }, () =>
        fetch(`${service.baseUrl}/sandbox/catch/mine`, { method: 'POST', body: '{}', signal }).catch(() => {}),
      )
      await caught(20)
      expect((await send('{}')).status).to.equal(503)
      const taskId = await aTask()
      expect((await caught(21)).at(-1)).to.include({ taskId, isVerified: true, status: null })
      controller.abort()
      await Promise.all(held)
    })
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
