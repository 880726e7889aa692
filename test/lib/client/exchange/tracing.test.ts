/** Requests as spans of OpenTelemetry: with a tracer of the program, without one, and where its package is missing. */
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { expect } from 'chai'
import { ran } from '../../../support/processes.ts'
import { aCreateBody } from '../../support/bodies.ts'
import { type AHost, aHost } from './a-host.ts'
import { failureOf } from './failure-of.ts'

describe('the spans of a client', () => {
  const exporter = new InMemorySpanExporter()
  let host: AHost
  let provider: NodeTracerProvider
  before(async () => {
    provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    provider.register()
    host = await aHost()
  })
  after(async () => {
    await host.stop()
    trace.disable()
    context.disable()
    await provider.shutdown()
  })
  beforeEach(() => exporter.reset())

  it('name a request by its template and say how it ended', async () => {
    host.plan({ status: 404, headers: { 'x-request-id': 'abc' } })
    await failureOf(host.client().findProvider({ params: { npi: '9999900019' } }))
    const [span] = exporter.getFinishedSpans()
    expect(span).to.include({ name: 'GET /api/v1/users/providers/:npi', kind: SpanKind.CLIENT })
    expect(span?.attributes).to.deep.equal({
      'http.request.method': 'GET',
      'url.template': '/api/v1/users/providers/:npi',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(host.baseUrl).port),
      'countersign.operation': 'findProvider',
      'http.response.status_code': 404,
      'countersign.request_id': 'abc',
      'error.type': '404',
    })
    expect(span?.status).to.deep.equal({ code: SpanStatusCode.ERROR })
  })

  it('are one for each request, and belong to the span of the caller', async () => {
    host.plan(null, {})
    await trace.getTracer('test').startActiveSpan('work', async (work) => {
      await host
        .client({ retries: 1, clock: { now: () => 0, after: () => () => {}, sleep: async () => {} } })
        .listTemplates()
      work.end()
    })
    const [broken, answered, work] = exporter.getFinishedSpans()
    expect(broken?.attributes).to.include({ 'error.type': 'ECONNRESET' })
    expect(answered?.attributes).to.include({ 'http.response.status_code': 200, 'http.request.resend_count': 1 })
    expect(answered?.status).to.deep.equal({ code: SpanStatusCode.UNSET })
    const { traceId, spanId } = work!.spanContext()
    for (const span of [broken, answered])
      expect([span?.spanContext().traceId, span?.parentSpanContext?.spanId]).to.deep.equal([traceId, spanId])
  })

  it('hold nothing that was sent or answered', async () => {
    host.plan({ status: 400, body: { errors: ['canary'] } }, { status: 204 }, 'never')
    const client = host.client({ apiKey: 'canary-key' })
    await failureOf(client.createTask({ body: aCreateBody() }))
    await client.retractTask({ params: { id: 4711 }, query: { reason: 'canary' } })
    const reason = new Error('canary', { cause: 'canary' })
    await failureOf(client.listTemplates({}, { signal: aborted(50, reason) }))
    const spans = exporter.getFinishedSpans()
    expect(spans.map(({ attributes }) => attributes['error.type'])).to.deep.equal(['400', undefined, 'ABORTED'])
    const told = JSON.stringify(spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]))
    for (const text of ['canary', '4711', aCreateBody().patient.names[0]!.family]) expect(told).not.to.contain(text)
  })
})

function aborted(afterMs: number, reason: Error): AbortSignal {
  const stop = new AbortController()
  setTimeout(() => stop.abort(reason), afterMs)
  return stop.signal
}

describe('a client without OpenTelemetry', () => {
  it('makes its requests all the same', async () => {
    const host = await aHost()
    host.plan({})
    const main = import.meta.resolve('../../../../lib/client/client.ts')
    const { code, stdout, stderr } = await ran([
      '--input-type=module',
      '--eval',
      `import { registerHooks } from 'node:module'
       let missing = 0
       registerHooks({
         resolve(specifier, context, next) {
           if (!specifier.startsWith('@opentelemetry/')) return next(specifier, context)
           missing += 1
           throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' })
         },
       })
       const { createClient } = await import(${JSON.stringify(main)})
       const client = createClient({ baseUrl: ${JSON.stringify(host.baseUrl)}, apiKey: 'key', proxy: false })
       console.log(JSON.stringify([await client.listTemplates(), missing]))`,
    ])
    await host.stop()
    expect([code, stdout, stderr]).to.deep.equal([0, '[[],1]\n', ''])
  })
})
