/** The proxy that records: forwards every call to the host, and writes down what may be kept of those that the interface has. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { operationsOf } from '../../lib/profile/host-operations.ts'
import type { HostProfile } from '../../lib/profile/host-profile.ts'
import { callOf } from './call.ts'
import { type Exchange, FORMAT } from './exchange.ts'
import { type Forwarded, forward } from './forward.ts'
import { maskExchange } from './mask-exchange.ts'
import { answerErrors, readBody } from './messages.ts'
import type { StandIns } from './stand-ins.ts'

export interface RecorderOptions {
  /** Where the host is; the path of each request is added to it. */
  url: string
  profile: HostProfile
  /** The id of this recording. */
  recording: string
  standIns: StandIns
  write(exchange: Exchange): Promise<void>
  /** Called for errors, by operation and code alone. */
  onFailure(facts: { what: string; code: string }): void
}

export interface Recorded {
  exchanges: number
  /** Values that were replaced or omitted. */
  withheld: number
  /** Calls that were forwarded but that the interface does not have, or that got no whole answer. */
  unrecorded: number
}

export interface Recorder {
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Resolves when everything that was answered is written. */
  settled(): Promise<Recorded>
}

export function createRecorder({ url, profile, recording, standIns, write, onFailure }: RecorderOptions): Recorder {
  const host = url.replace(/\/+$/, '')
  const rows = operationsOf(profile)
  const recorded: Recorded = { exchanges: 0, withheld: 0, unrecorded: 0 }
  let calls = 0
  // One after the other, so that are-ins have the numbers of the order in which they are met.
  let writing: Promise<void> = Promise.resolve()

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const number = ++calls
    // Anything else could lead to another host, and take the key along.
    if (!request.url?.startsWith('/')) return answerErrors(response, 400, ['The request must name a path.'])
    const body = await readBody(request)
    if (body === null) return answerErrors(response, 413, ['The body is too large to be recorded.'])
    const answer = await forward(request, body, response, host)
    writing = writing.then(() => keep(number, request, body, answer)).catch((failure) => lost('writing', failure))
  }

  async function keep(
    number: number,
    { method = '', url: target = '', headers }: IncomingMessage,
    sent: Buffer,
    answer: Forwarded,
  ) {
    const call = callOf(rows, method, target, jsonIn(sent, headers))
    if (!call) return void recorded.unrecorded++
    const { status } = answer
    const { 'retry-after': retryAfter, link } = answer.headers
    const hostAnswer = { status, retryAfter, link: link?.toString(), body: jsonIn(answer.body, answer.headers) }
    const masked = await maskExchange(call, hostAnswer, standIns)
    await write({ format: FORMAT, recording, number, operation: call.operation, ...masked })
    recorded.exchanges++
    recorded.withheld += masked.withheld
  }

  function lost(what: string, failure: unknown): void {
    recorded.unrecorded++
    onFailure({ what, code: (failure as NodeJS.ErrnoException).code ?? 'unknown' })
  }

  return {
    handle(request, response) {
      pass(request, response).catch((failure: unknown) => {
        lost('forwarding', failure)
        if (response.headersSent) response.destroy()
        else answerErrors(response, 502, ['The host that is recorded gave no answer.'])
      })
    },
    async settled() {
      await writing
      return recorded
    },
  }
}

/** Unreadable bodies are not recorded. */
function jsonIn(bytes: Buffer, headers: IncomingHttpHeaders): unknown {
  if (bytes.length === 0 || (headers['content-encoding'] ?? 'identity') !== 'identity') return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
