/** One request to a host under test, as plain HTTP, and its answer. */

export interface PlainRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  /** JSON; undefined for a request without a body. */
  body?: unknown
}

export interface PlainAnswer {
  status: number
  headers: Headers
  /** Parsed JSON; undefined where the answer holds none. */
  body: unknown
}

/** Sends one request and never follows a redirect. Rejects when no answer comes. */
export type Send = (request: PlainRequest) => Promise<PlainAnswer>

/** An answer that takes longer counts as none. */
const ANSWER_TIMEOUT_MS = 30_000

/** Sends with `fetch`: no client of ours, which would forgive what the rules look for. */
export const sendPlainly: Send = async ({ method, url, headers, body }) => {
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  return { status: answer.status, headers: answer.headers, body: jsonIn(await answer.text()) }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
