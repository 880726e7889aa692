/** The requests and webhooks of an organization, as tests ask for them: with filters, and waiting until they are there. */
import { expect } from 'chai'
import type { Exchange } from '../../../server/operations/sandbox/traffic/exchange.ts'
import { createTraffic } from '../../../server/operations/sandbox/traffic/traffic.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

interface Listed {
  count: number
  reached: boolean
  requests: Exchange[]
}

const anExchange = { direction: 'request', operation: 'readTask', status: 200 } as Exchange

describe('the requests that a sandbox has seen', () => {
  let service: TestService
  let receiver: TestReceiver
  before(async () => {
    ;[service, receiver] = await Promise.all([aService(), TestReceiver.start()])
  })
  after(() => Promise.all([service.stop(), receiver.stop()]))
  beforeEach(async () => {
    await service.ask('DELETE', '/sandbox/v1/requests')
  })
  const seen = async (query = '', key = service.key) =>
    (await service.ask<Listed>('GET', `/sandbox/v1/requests?${query}`, { key })).body

  it('hold method, address, answer and task of each, without keys and with documents shortened', async () => {
    const body = aCreateBody({ document: { externalDocId: 'EHR|SEEN' } })
    const taskId = await service.create(body)
    const { requests, reached } = await seen('operation=createTask&waitSeconds=10')
    expect(reached).to.equal(true)
    const [request] = requests
    expect(request).to.include({ method: 'POST', status: 201, taskId, externalDocId: 'EHR|SEEN', fault: null })
    expect(request!.requestHeaders['x-api-key']).to.equal('(withheld)')
    expect(request!.requestBody).to.match(/"attachment":"JVBERi0.{10,30}… \(\d+ characters\)"/)
    expect(request!.answerBody).to.include(`"taskId":${taskId}`)
    expect(JSON.stringify(requests)).not.to.include(service.key)
  })

  it('hold no cookie, token, or key of a header, whichever program has sent it', async () => {
    const names = [
      ...['Cookie', 'Authorization', 'Proxy-Authorization', 'X-Page-Token', 'X-Auth-Request-Access-Token'],
      ...[
        'X-CSRF-Token',
        'X-Amz-Security-Token',
        'Api-Key',
        'X-Session-Id',
        'X-Forwarded-Client-Cert',
        'X-Client-Secret',
      ],
    ]
    const headers = Object.fromEntries(names.map((name) => [name, `countersign=canary of ${name}`]))
    await service.ask('GET', '/api/v1/documenttypes', { headers: { ...headers, 'X-Other': 'is shown' } })
    await service.create(aCreateBody({ document: { externalDocId: 'EHR|CANARY' } }))
    const { requests } = await seen('count=2&waitSeconds=10')
    expect(requests[0]!.requestHeaders).to.include({ 'x-other': 'is shown' })
    for (const name of names)
      expect(requests[0]!.requestHeaders, name).to.include({ [name.toLowerCase()]: '(withheld)' })
    expect(JSON.stringify(requests)).not.to.match(/canary of/)
  })

  it('name the fault that hit a request, also where its caller got no answer', async () => {
    const plan = (body: object) => service.ask('POST', '/sandbox/v1/faults', { body })
    await plan({ on: 'request', operation: 'createTask', fault: 'lose-answer', times: 1 })
    await service.client.createTask({ body: aCreateBody() }).catch(() => {})
    const lost = await seen('fault=lose-answer&status=0&waitSeconds=10')
    expect(lost.requests).to.have.length(1)
    expect(lost.requests[0]!.answerBody).to.include('taskId')
    await plan({ on: 'request', operation: 'listTemplates', fault: 'refuse', status: 429, times: 1 })
    await service.client.listTemplates().catch(() => {})
    expect((await seen('status=429&waitSeconds=10')).requests[0]).to.include({ fault: 'refuse' })
  })

  it('include webhooks, with whether a receiver can believe them, and never their secret', async () => {
    const { secret } = await service.client.createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)
    await service.ask('POST', '/sandbox/v1/faults', {
      body: { on: 'callback', status: 'Pending', fault: 'wrong-signature', times: 1 },
    })
    const taskId = await service.create(aCreateBody())
    const { requests } = await seen('direction=webhook&fault=wrong-signature&waitSeconds=10')
    expect(requests[0]).to.include({ operation: 'Pending', isVerified: false })
    await service.reaches(taskId, 'Pending')
    await service.signs(taskId)
    const signed = await seen(`direction=webhook&taskId=${taskId}&operation=Completed&waitSeconds=10`)
    expect(signed.requests[0]).to.include({ fault: null, isVerified: true, status: 204 })
    expect(JSON.stringify((await seen()).requests)).not.to.include(secret)
  })

  it('are those of one organization alone', async () => {
    await service.other.listTemplates()
    expect((await seen('operation=listTemplates&waitSeconds=10', service.otherKey)).count).to.equal(1)
    expect((await seen('operation=listTemplates')).count).to.equal(0)
  })

  it('are waited for until there are as many, or the time is over', async () => {
    const clock = new FakeClock()
    const traffic = createTraffic(clock)
    const outcome: string[] = []
    const waiting = traffic.until(1, () => traffic.list(1).length >= 2, 1_000).then(() => outcome.push('came'))
    traffic.add(1, anExchange)
    traffic.add(2, anExchange)
    await new Promise(setImmediate)
    expect(outcome).to.deep.equal([])
    traffic.add(1, anExchange)
    await waiting
    const late = traffic.until(1, () => false, 1_000).then(() => outcome.push('late'))
    clock.advance(1_000)
    await late
    expect(outcome).to.deep.equal(['came', 'late'])
  })

  it('are waited for by a few callers of an organization, and remembered up to a number', async () => {
    const traffic = createTraffic(new FakeClock())
    const calls = Array.from({ length: 9 }, () =>
      traffic.until(1, () => false, 1_000).catch((failure: Error) => failure.message),
    )
    expect(await Promise.race(calls)).to.include('wait for requests already')
    for (let n = 0; n < 510; n++) traffic.add(1, anExchange)
    expect(
      traffic
        .list(1)
        .map(({ id }) => id)
        .slice(0, 1),
    ).to.deep.equal([11])
    expect(traffic.list(1)).to.have.length(500)
  })

  for (const [query, error] of [
    ['waitSeconds=21', 'waitSeconds'],
    ['count=0', 'count'],
    ['status=ok', 'status'],
    ['direction=up', 'direction'],
    ['since=1', 'since'],
  ] as const)
    it(`refuses ${query}`, async () => {
      const { status, errors } = await service.ask('GET', `/sandbox/v1/requests?${query}`)
      expect(status).to.equal(400)
      expect(errors.join()).to.include(error)
    })

  it('are described, with all of the control plane, in an OpenAPI document', async () => {
    const { body } = await service.ask<{ paths: Record<string, object> }>('GET', '/sandbox/v1/openapi.json', {
      key: null,
    })
    expect(body.paths).to.include.keys('/sandbox/v1/requests', '/sandbox/v1/clock', '/sandbox/v1/tasks/{id}/sign')
  })
})
