/** Serves a replay over HTTP. It takes any key, and keeps nothing of what it is sent. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerErrors, answerJson, readBody } from './messages.ts'
import type { NoMatch, Replay, ReplayAnswer } from './replay.ts'

/** @param onMiss called for each call that was not recorded */
export function replayHandler(replay: Replay, onMiss: (miss: NoMatch) => void) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch(() => response.destroy())
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readBody(request)
    if (bytes === null) return answerErrors(response, 413, ['The body is larger than any that was recorded.'])
    const body = parsed(bytes)
    if (body === NOT_JSON) return answerErrors(response, 400, ['body: not JSON'])
    const { method = '', url = '' } = request
    const answer = replay.answer(method, url, body)
    if ('exchange' in answer) return answerJson(response, answer.exchange.answer.status, answer.body, headersOf(answer))
    onMiss(answer)
    return answerErrors(response, 404, answer.errors)
  }
}

function headersOf({ exchange: { request, answer }, next }: ReplayAnswer): Record<string, string> {
  const { retryAfter } = answer
  const query = Object.entries(next ?? {}).flatMap(([name, texts]) =>
    texts.map((text) => [name, text] as [string, string]),
  )
  return {
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    ...(next && { link: `<${request.path}?${new URLSearchParams(query)}>; rel="next"` }),
  }
}

const NOT_JSON = Symbol('not JSON')

function parsed(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return NOT_JSON
  }
}
