/** The calls of a sandbox travel as those of a client do: observed, traced, and with the id of the request on every error. */

import { context, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { expect } from 'chai'
import type { ResponseFacts } from '../../../../lib/client/exchange/facts.ts'
import { createSandbox } from '../../../../lib/client/sandbox.ts'
import { sandboxCaller } from '../../../../lib/client/sandbox-call.ts'
import { type AHost, aHost, type Planned } from './a-host.ts'
import { failureOf } from './failure-of.ts'

const ID = '6f1c2d1e-3f52-4c2a-9c33-0d6a4c0c7f11'

describe('a call of a sandbox', () => {
  let host: AHost
  let answered: ResponseFacts[]
  const options = () =>
    ({
      baseUrl: host.baseUrl,
      apiKey: 'key',
      proxy: false,
      onResponse: (facts: ResponseFacts) => answered.push(facts),
    }) as const
  const sandbox = () => createSandbox(options())
  const signing = () => sandbox().actAsSigner(4711, { act: 'sign', reason: undefined }, AbortSignal.timeout(10_000))

  before(async () => {
    host = await aHost()
  })
  after(() => host.stop())
  beforeEach(() => {
    answered = []
  })

  it('is told to observers by names and not by values', async () => {
    host.plan({ status: 409, headers: { 'x-request-id': ID } })
    await failureOf(signing())
    const [{ durationMs, ...facts } = { durationMs: -1 }] = answered
    expect(facts).to.deep.equal({
      operation: 'sign',
      method: 'POST',
      path: '/sandbox/v1/tasks/:id/sign',
      attemptNumber: 1,
      status: 409,
      code: null,
      requestId: ID,
    })
    expect(durationMs).to.be.within(0, 30_000)
    expect(host.requests[0]?.url).to.equal('/sandbox/v1/tasks/4711/sign')
  })

  for (const [planned, name] of [
    [{ status: 409 }, 'RefusedError'],
    [{ status: 302 }, 'RefusedError'],
    [{ status: 403 }, 'UnauthorizedError'],
    [{ status: 503 }, 'UnreachableError'],
  ] as const satisfies [Planned, string][])
    it(`has the id of the request on the error of status ${planned.status}`, async () => {
      host.plan({ ...planned, headers: { 'x-request-id': ID } })
      const failure = await failureOf(signing())
      expect(failure).to.include({ name, requestId: ID })
      expect(failure.message.endsWith(` (request ${ID})`)).to.equal(true)
    })

  it('says how long to wait, and in the words of the sandbox what is wrong, without what was sent', async () => {
    host.plan({ status: 429, headers: { 'retry-after': '7' }, body: { errors: ['reason: canary is too much'] } })
    const failure = await failureOf(
      sandboxCaller(options())({ name: 'reject', method: 'POST', path: 'tasks/1/reject', body: { reason: 'canary' } }),
    )
    expect(failure).to.deep.include({ errors: ['reason: […] is too much'], retryAfterSeconds: 7 })
  })

  it('is a span', async () => {
    const exporter = new InMemorySpanExporter()
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    provider.register()
    try {
      host.plan({ status: 204 })
      await signing()
      const [span] = exporter.getFinishedSpans()
      expect(span?.name).to.equal('POST /sandbox/v1/tasks/:id/sign')
      expect(span?.attributes).to.include({ 'countersign.operation': 'sign', 'http.response.status_code': 204 })
      expect(JSON.stringify(span?.attributes)).not.to.contain('4711')
    } finally {
      trace.disable()
      context.disable()
      await provider.shutdown()
    }
  })

  it('reads an answer as JSON, gives nothing for one that is empty, and refuses any other', async () => {
    const call = sandboxCaller(options())
    const ask = () => call({ name: 'advance', method: 'POST', path: 'clock' })
    host.plan({ body: { aheadSeconds: 1 } }, { text: '' }, { text: '<html>', headers: { 'x-request-id': ID } })
    expect(await ask()).to.deep.equal({ aheadSeconds: 1 })
    expect(await ask()).to.equal(undefined)
    expect(await failureOf(ask())).to.include({ name: 'UnexpectedResponseError', requestId: ID })
  })
})
