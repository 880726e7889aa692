/** What `onRequest` and `onResponse` are told: enough for a log or a metric, and nothing private. */
import { expect } from 'chai'
import type { RequestFacts, ResponseFacts } from '../../../../lib/client/exchange/facts.ts'
import { aCreateBody } from '../../support/bodies.ts'
import { type AHost, aHost } from './a-host.ts'
import { failureOf } from './failure-of.ts'

describe('the observers of a client', () => {
  let host: AHost
  let asked: RequestFacts[]
  let answered: ResponseFacts[]
  const clientOf = () =>
    host.client({
      profile: { basePath: '/partner' },
      onRequest: (facts) => asked.push(facts),
      onResponse: (facts) => answered.push(facts),
    })

  before(async () => {
    host = await aHost()
  })
  after(() => host.stop())
  beforeEach(() => {
    asked = []
    answered = []
  })

  it('are told of a request and of its answer, by names and not by values', async () => {
    host.plan({ status: 404, headers: { 'x-request-id': 'abc' } })
    await failureOf(clientOf().findProvider({ params: { npi: '9999900019' } }))
    const facts = {
      operation: 'findProvider',
      method: 'GET',
      path: '/partner/api/v1/users/providers/:npi',
      attemptNumber: 1,
    }
    expect(asked).to.deep.equal([facts])
    const [{ durationMs, ...rest } = { durationMs: -1 }] = answered
    expect(rest).to.deep.equal({ ...facts, status: 404, code: null, requestId: 'abc' })
    expect(durationMs).to.be.within(0, 30_000)
    expect(host.requests[0]?.url).to.equal('/partner/api/v1/users/providers/9999900019')
  })

  it('are told why no answer came', async () => {
    host.plan(null, 'never', 'never')
    const client = clientOf()
    await failureOf(client.listTemplates())
    await failureOf(client.listTemplates({}, { timeoutMs: 300 }))
    await failureOf(client.listTemplates({}, { signal: AbortSignal.timeout(50) }))
    expect(answered.map(({ status, code }) => [status, code])).to.deep.equal([
      [null, 'ECONNRESET'],
      [null, 'ETIMEDOUT'],
      [null, 'ABORTED'],
    ])
    expect(answered[1]?.durationMs).to.be.within(290, 10_000)
  })

  it('are told nothing of what was sent or answered', async () => {
    host.plan({ status: 400, body: { errors: ['canary'] } }, { body: [] }, { status: 204 })
    const client = clientOf()
    const document = { ...aCreateBody().document, externalDocId: 'canary-doc' }
    await failureOf(client.createTask({ body: { ...aCreateBody(), document } }))
    await client.listTasks({ query: { externalDocId: 'canary-doc' } })
    await client.retractTask({ params: { id: 4711 }, query: { reason: 'canary' } })
    expect(answered).to.have.length(3)
    const told = JSON.stringify([asked, answered]).toLowerCase()
    for (const text of ['canary', '4711', 'key', aCreateBody().patient.names[0]!.family])
      expect(told).not.to.contain(text.toLowerCase())
  })

  it('cannot fail a call', async () => {
    host.plan({}, {})
    const throws = () => {
      throw new Error('no')
    }
    const rejects = async () => throws()
    for (const observer of [throws, rejects])
      expect(await host.client({ onRequest: observer, onResponse: observer }).listTemplates()).to.deep.equal([])
  })
})

describe('a client', () => {
  it('names itself, or as it is told', async () => {
    const host = await aHost()
    host.plan({}, {})
    await host.client().listTemplates()
    await host.client({ userAgent: 'acme-ehr/3.2' }).listTemplates()
    expect(host.requests.map(({ headers }) => headers['user-agent'])).to.deep.equal(['Countersign', 'acme-ehr/3.2'])
    await host.stop()
  })

  it('gives a call as much time as it asks for', async () => {
    const host = await aHost()
    host.plan('never')
    const failure = await failureOf(host.client().listTemplates({}, { timeoutMs: 100 }))
    expect(failure).to.include({ name: 'UnreachableError', code: 'ETIMEDOUT' })
    await host.stop()
  })
})
