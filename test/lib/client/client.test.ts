/** The client against recorded variations of a foreign host, and against broken connections. */
import { Agent, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Client } from '../../../lib/client/client.ts'
import {
  RefusedError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnreachableError,
} from '../../../lib/client/errors.ts'
import { openapi } from '../../../lib/contract/openapi/openapi.ts'
import { operations } from '../../../lib/contract/operations.ts'
import nock from '../../support/network/nock.ts'
import { aClient } from '../../support/service/a-client.ts'
import { aCreateBody, aTaskRecord } from '../support/bodies.ts'

const HOST = 'https://sign.example.org'
const TASKS = '/api/v1/signature/tasks'

const failureOf = async (work: Promise<unknown>): Promise<Error & Record<string, unknown>> =>
  work.then(
    () => expect.fail('it succeeded'),
    (failure) => failure,
  )

describe('the client', () => {
  const client: Client = aClient({ baseUrl: `${HOST}/`, apiKey: 'key', timeoutMs: 500 })

  before(() => {
    if (!nock.isActive()) nock.activate()
    nock.disableNetConnect()
  })
  afterEach(() => {
    const missing = nock.pendingMocks()
    nock.cleanAll()
    expect(missing).to.deep.equal([])
  })
  after(() => {
    nock.enableNetConnect()
    nock.restore()
  })

  const host = (key = 'key') => nock(HOST, { reqheaders: { 'x-api-key': key, accept: 'application/json' } })

  it('has a method for every operation of the interface', () => {
    expect(Object.keys(client).sort()).to.deep.equal(Object.keys(operations).sort())
    const ids = Object.values(
      openapi({ version: '1' }).paths as Record<string, Record<string, { operationId: string }>>,
    )
      .flatMap((path) => Object.values(path))
      .map(({ operationId }) => operationId)
    expect(ids.sort()).to.deep.equal(Object.keys(operations).sort())
  })

  describe('sends what the interface asks for', () => {
    it('the key in a header, the body as JSON', async () => {
      host()
        .post(TASKS, aCreateBody() as never)
        .reply(201, { taskId: 7, status: 'Received', statusReason: null })
      expect(await client.createTask({ body: aCreateBody() })).to.deep.equal({
        taskId: 7,
        status: 'Received',
        statusReason: null,
      })
    })

    it('parameters in path and query, lists repeated, flags as words', async () => {
      host().get(`${TASKS}/7`).query({ includeOutputAttachment: 'true' }).reply(200, aTaskRecord())
      await client.readTask({ params: { id: 7 }, query: { includeOutputAttachment: true } })
      host().get(`${TASKS}?externalSavedDocumentIds=A%26B&externalSavedDocumentIds=C&isFiled=false`).reply(200, [])
      expect(
        await client.listTasks({ query: { externalSavedDocumentIds: ['A&B', 'C'], isFiled: false } }),
      ).to.deep.equal([])
    })

    it('and understands answers without a body', async () => {
      host().patch(`${TASKS}/7`).query({ externalSavedDocumentId: 'S 1', saved: 'true' }).reply(204)
      expect(
        await client.updateTask({ params: { id: 7 }, query: { externalSavedDocumentId: 'S 1', saved: true } }),
      ).to.equal(undefined)
      host().delete(`${TASKS}/7`).query({ reason: 'ümlaut & more' }).reply(204)
      await client.retractTask({ params: { id: 7 }, query: { reason: 'ümlaut & more' } })
    })

    it('subscriptions', async () => {
      const subscription = { id: 1, url: 'https://ehr.example.org/hook' }
      host()
        .post('/api/v1/signature/webhooks', { url: subscription.url })
        .reply(201, { ...subscription, secret: 'c2VjcmV0' })
      expect((await client.createSubscription({ body: { url: subscription.url } })).secret).to.equal('c2VjcmV0')
      host()
        .get('/api/v1/signature/webhooks')
        .reply(200, [{ ...subscription, isActive: true }])
      expect((await client.listSubscriptions())[0]?.isActive).to.equal(true)
      host().patch('/api/v1/signature/webhooks/1', { active: false }).reply(204)
      expect(await client.updateSubscription({ params: { id: 1 }, body: { active: false } })).to.equal(undefined)
      host().patch('/api/v1/signature/webhooks/1', { active: true }).reply(200, '')
      expect(await client.updateSubscription({ params: { id: 1 }, body: { active: true } })).to.equal(undefined)
      host().delete('/api/v1/signature/webhooks/1').reply(204)
      await client.deleteSubscription({ params: { id: 1 } })
    })

    it('look-ups and the health check', async () => {
      host()
        .get('/api/v1/documenttypes')
        .reply(200, [{ id: 1, name: 'a', category: 'b' }])
      host().get('/api/v1/signature/templates').reply(200, [])
      host().get('/health-check').reply(200, 'OK', { 'content-type': 'text/plain' })
      expect(await client.listDocumentTypes()).to.have.length(1)
      expect(await client.listTemplates()).to.deep.equal([])
      expect(await client.checkHealth()).to.deep.equal({})
      host().get('/health-check').reply(200, { status: 'ok' })
      expect(await client.checkHealth()).to.deep.equal({ status: 'ok' })
    })
  })

  describe('with a host that chose otherwise', () => {
    for (const status of [401, 403])
      it(`takes ${status} for a key that is refused`, async () => {
        host()
          .get('/api/v1/documenttypes')
          .reply(status, status === 401 ? '' : { message: 'Forbidden' })
        const failure = await failureOf(client.listDocumentTypes())
        expect(failure).to.be.instanceOf(UnauthorizedError)
        expect([failure.code, failure.status]).to.deep.equal(['UNAUTHORIZED', status])
        expect((failure.errors as string[]).length).to.equal(1)
      })

    for (const [name, body] of Object.entries({
      items: { items: [aTaskRecord()], total: 1 },
      data: { data: [aTaskRecord()], links: {}, page: 1 },
    }))
      it(`finds the list in an envelope (${name})`, async () => {
        host().get(TASKS).reply(200, body)
        expect((await client.listTasks()).map(({ taskId }) => taskId)).to.deep.equal([1001])
      })

    it('refuses an envelope in which the list is not clear', async () => {
      host().get(TASKS).reply(200, { data: [], errors: [] })
      expect(await failureOf(client.listTasks())).to.be.instanceOf(UnexpectedResponseError)
    })

    it('drops fields that it does not know, and misses none that may be absent', async () => {
      host()
        .get(`${TASKS}/7`)
        .reply(200, { taskId: 7, status: 'Pending', patient: { name: 'x' }, next: null })
      expect(await client.readTask({ params: { id: 7 } })).to.deep.equal({ taskId: 7, status: 'Pending' })
    })

    for (const at of ['2026-01-15T09:30:00', '2026-01-15T09:30:00.1234567+00:00', '2026-01-15T09:30:00Z'])
      it(`takes ${at} for a time`, async () => {
        host().get(`${TASKS}/7`).reply(200, { taskId: 7, status: 'Pending', createdAt: at })
        expect((await client.readTask({ params: { id: 7 } })).createdAt).to.equal(at)
      })

    const shapes = [{ errors: ['no'] }, { message: 'no' }, { error: 'no' }, { title: 'no', traceId: 'x' }]
    for (const body of shapes)
      it(`finds the reason in ${JSON.stringify(body)}`, async () => {
        host().delete(`${TASKS}/7`).reply(400, body)
        const failure = await failureOf(client.retractTask({ params: { id: 7 } }))
        expect(failure).to.be.instanceOf(RefusedError).and.not.instanceOf(UnauthorizedError)
        expect([failure.code, failure.status, failure.errors]).to.deep.equal(['REFUSED', 400, ['no']])
      })

    it('knows how long a busy host wants to be left alone, in seconds or until a date', async () => {
      const date = 'Thu, 15 Jan 2026 09:30:00 GMT'
      for (const [after, seconds] of [
        ['30', 30],
        ['Thu, 15 Jan 2026 09:31:00 GMT', 60],
        ['soon', null],
        ['-5', null],
      ] as const) {
        host().get(TASKS).reply(429, {}, { 'retry-after': after, date })
        expect((await failureOf(client.listTasks())).retryAfterSeconds, after).to.equal(seconds)
      }
      host().get(TASKS).reply(503, {}, { 'retry-after': '5' })
      const failure = await failureOf(client.listTasks())
      expect([failure.name, failure.code, failure.retryAfterSeconds]).to.deep.equal(['UnreachableError', 'HTTP_503', 5])
    })

    it('follows no redirect, so that the key goes nowhere else', async () => {
      host().get(TASKS).reply(302, '', { location: 'https://elsewhere.example.org/' })
      const failure = await failureOf(client.listTasks())
      expect([failure.name, failure.status]).to.deep.equal(['UnexpectedResponseError', 302])
    })

    it('takes a page of HTML for another program', async () => {
      host().get(TASKS).reply(200, '<html>canary</html>', { 'content-type': 'text/html' })
      const failure = await failureOf(client.listTasks())
      expect(failure).to.be.instanceOf(UnexpectedResponseError)
      expect(failure.message).to.contain('base URL').and.not.contain('canary')
    })

    it('says which field of an answer is wrong, without its value', async () => {
      host().get(`${TASKS}/7`).reply(200, { taskId: 'canary', status: 'Lost' })
      const failure = await failureOf(client.readTask({ params: { id: 7 } }))
      expect(failure.message)
        .to.contain('taskId')
        .and.contain('status')
        .and.not.contain('canary')
        .and.not.contain('Lost')
    })
  })

  describe('with a network that fails', () => {
    for (const [code, mayHaveArrived] of [
      ['ECONNREFUSED', false],
      ['ENOTFOUND', false],
      ['EAI_AGAIN', false],
      ['CERT_HAS_EXPIRED', false],
      ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false],
      ['ECONNRESET', true],
      ['EPIPE', true],
      ['EPROTO', true],
    ] as const)
      it(`knows of ${code} that the request ${mayHaveArrived ? 'may have' : 'cannot have'} arrived`, async () => {
        host()
          .post(TASKS)
          .replyWithError(Object.assign(new Error('x'), { code }))
        const failure = await failureOf(client.createTask({ body: aCreateBody() }))
        expect([failure.name, failure.code, failure.mayHaveArrived]).to.deep.equal([
          'UnreachableError',
          code,
          mayHaveArrived,
        ])
      })

    it('takes 500 for a failure that may have had its effect', async () => {
      host().post(TASKS).reply(500, '<h1>Oops</h1>')
      const failure = await failureOf(client.createTask({ body: aCreateBody() }))
      expect([failure.code, failure.mayHaveArrived]).to.deep.equal(['HTTP_500', true])
    })

    it('gives up after its time, with the signal of the caller before that', async () => {
      host().get(TASKS).delay(2000).reply(200, [])
      const late = await failureOf(client.listTasks())
      expect([late.code, late.mayHaveArrived]).to.deep.equal(['ETIMEDOUT', true])
      host().get(TASKS).delay(300).reply(200, [])
      const stop = new AbortController()
      setTimeout(() => stop.abort(new Error('closing')), 20)
      expect((await failureOf(client.listTasks({}, { signal: stop.signal }))).message).to.equal('closing')
    })
  })
})

describe('the client on a real connection', () => {
  let server: Server
  let client: Client
  let answer: (url: string, socket: import('node:net').Socket) => void
  const agent = new Agent({ keepAlive: false })

  before(async () => {
    server = createServer((request) => answer(request.url ?? '', request.socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    client = aClient({
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey: 'key',
      timeoutMs: 300,
      proxy: false,
      httpAgent: agent,
    })
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  it('gives up on a body that never ends', async () => {
    answer = (_, socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[')
    const failure = await failureOf(client.listTasks())
    expect([failure.name, failure.code]).to.deep.equal(['UnreachableError', 'ETIMEDOUT'])
  })

  it('repeats a read whose kept connection is reset, and nothing that changes something', async () => {
    const kept = new Agent({ keepAlive: true })
    const requests = new Map<object, number>()
    answer = (_, socket) => {
      const count = (requests.get(socket) ?? 0) + 1
      requests.set(socket, count)
      if (count > 1) socket.resetAndDestroy()
      else socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]')
    }
    const { port } = server.address() as AddressInfo
    const options = { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key', proxy: false, httpAgent: kept } as const
    const keeping = aClient({ ...options, timeoutMs: 5000 })
    for (let reads = 0; reads < 4; reads++) expect(await keeping.listTasks()).to.deep.equal([])
    expect(requests.size).to.equal(4)
    const failure = await failureOf(keeping.retractTask({ params: { id: 7 } }))
    expect(failure).to.include({ name: 'UnreachableError', code: 'ECONNRESET', mayHaveArrived: true })
    kept.destroy()
  })

  it('does not repeat a read that times out over a kept connection', async () => {
    const kept = new Agent({ keepAlive: true })
    let count = 0
    answer = (_, socket) => {
      if (++count === 1)
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]')
    }
    const { port } = server.address() as AddressInfo
    const keeping = aClient({
      ...{ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key', proxy: false, httpAgent: kept },
    })
    expect(await keeping.listTasks()).to.deep.equal([])
    expect(await failureOf(keeping.listTasks({}, { timeoutMs: 200 }))).to.include({ code: 'ETIMEDOUT' })
    expect(count).to.be.at.most(2)
    kept.destroy()
  })

  it('takes no half answer for a whole one', async () => {
    answer = (_, socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[]')
    expect(await failureOf(client.listTasks())).to.be.instanceOf(UnreachableError)
  })

  it('survives a cut connection and an answer that is not HTTP', async () => {
    answer = (_, socket) => socket.resetAndDestroy()
    expect(await failureOf(client.listTasks())).to.include({ name: 'UnreachableError', mayHaveArrived: true })
    answer = (_, socket) => socket.end('hello')
    expect(await failureOf(client.listTasks())).to.be.instanceOf(UnreachableError)
  })
})
