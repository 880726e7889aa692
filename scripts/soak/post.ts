/** One create over a connection of its own, and how it ended. */
import { request } from 'node:http'

export interface Posted {
  /** The status, `503 without Retry-After`, or the code of what came instead of an answer. */
  ending: string
  /** The task of a 201. */
  taskId: number | undefined
  /** Milliseconds to wait after a 503. */
  retryAfterMs: number | undefined
}

const TIMEOUT_MS = 180_000

/** A refusal may come before the whole body was sent: it counts, and not that the rest could not be sent any more. */
export function post(url: string, key: string, body: Buffer): Promise<Posted> {
  return new Promise((resolve) => {
    const ended = (ending: string, taskId?: number, retryAfterMs?: number) => resolve({ ending, taskId, retryAfterMs })
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': body.length }
    const asking = request(url, { method: 'POST', headers, agent: false, timeout: TIMEOUT_MS }, (response) => {
      const { statusCode, headers } = response
      const retryAfter = headers['retry-after']
      const mustWait = statusCode === 503 && retryAfter === undefined
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', () => {})
      response.on('close', () => {
        const text = Buffer.concat(chunks).toString()
        ended(
          mustWait ? '503 without Retry-After' : String(statusCode),
          statusCode === 201 ? (JSON.parse(text) as { taskId: number }).taskId : undefined,
          statusCode === 503 && retryAfter !== undefined ? Number(retryAfter) * 1000 : undefined,
        )
      })
    })
    let failure = ''
    asking.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      failure = code ?? message
    })
    asking.on('timeout', () => asking.destroy(new Error('no answer in time')))
    // The answer may still be read after writing failed.
    asking.on('close', () => setTimeout(() => ended(failure || 'no answer'), 1_000))
    asking.end(body)
  })
}
