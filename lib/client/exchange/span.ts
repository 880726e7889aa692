/** A request as a span of OpenTelemetry, without a value of its parameters, its body or its answer. */
import type * as OpenTelemetry from '@opentelemetry/api'
import type { Ending, RequestFacts } from './facts.ts'

export interface Span {
  /** Runs `ask` inside the span, so that spans which it starts belong to this one. */
  around<T>(ask: () => Promise<T>): Promise<T>
  end(ending: Ending): void
}

/** The span goes nowhere unless the program has registered a tracer, or where `@opentelemetry/api` is not installed. */
export async function startSpan({ operation, method, path, attemptNumber }: RequestFacts, server: URL): Promise<Span> {
  loaded ??= load()
  const api = await loaded
  if (api === null) return nowhere
  const { context, trace, SpanKind, SpanStatusCode } = api
  const attributes = {
    'http.request.method': method,
    'url.template': path,
    'server.address': server.hostname,
    'server.port': Number(server.port) || (server.protocol === 'https:' ? 443 : 80),
    'countersign.operation': operation,
    ...(attemptNumber > 1 && { 'http.request.resend_count': attemptNumber - 1 }),
  }
  const span = trace.getTracer(TRACER).startSpan(`${method} ${path}`, { kind: SpanKind.CLIENT, attributes })
  return {
    around: (ask) => context.with(trace.setSpan(context.active(), span), ask),
    end({ status, code, requestId }) {
      if (status !== null) span.setAttribute('http.response.status_code', status)
      if (requestId !== null) span.setAttribute('countersign.request_id', requestId)
      if (status === null || status >= 400) {
        span.setAttribute('error.type', code ?? String(status))
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
  }
}

const TRACER = '@countersign/node-red-document-signature'
const nowhere: Span = { around: (ask) => ask(), end() {} }

/** Loaded with the first request; null where it cannot be: tracing is not worth a call. */
let loaded: Promise<typeof OpenTelemetry | null> | undefined
const API: string = '@opentelemetry/api'
const load = (): Promise<typeof OpenTelemetry | null> => import(API).catch(() => null)
