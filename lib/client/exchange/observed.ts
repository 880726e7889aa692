/** Tells of a request and how it ended: to the caller's functions, and to OpenTelemetry where that is installed. */
import type { Clock } from '../../clock.ts'
import type { Ending, RequestFacts, ResponseFacts } from './facts.ts'
import { startSpan } from './span.ts'

export interface Observers {
  /** Must not throw. */
  onRequest(facts: RequestFacts): void
  /** Must not throw. */
  onResponse(facts: ResponseFacts): void
  clock: Clock
  /** Where requests go. */
  server: URL
}

interface Answered {
  status: number
  requestId: string | null
}

/** Settles as `ask` does. */
export async function observed<A extends Answered>(
  facts: RequestFacts,
  { onRequest, onResponse, clock, server }: Observers,
  ask: () => Promise<A>,
): Promise<A> {
  onRequest(facts)
  const begunAt = clock.now()
  const span = await startSpan(facts, server)
  const end = (ending: Ending) => {
    span.end(ending)
    onResponse({ ...facts, ...ending, durationMs: clock.now() - begunAt })
  }
  return span.around(ask).then(
    (answer) => {
      end({ status: answer.status, code: null, requestId: answer.requestId })
      return answer
    },
    (failure: unknown) => {
      end({ status: null, code: codeOf(failure), requestId: null })
      throw failure
    },
  )
}

/** The reason with which a caller ends a request is the caller's own, and may be anything. */
function codeOf(failure: unknown): string {
  const { name, code } = (failure ?? {}) as { name?: unknown; code?: unknown }
  return name === 'UnreachableError' ? String(code) : 'ABORTED'
}
