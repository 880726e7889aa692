/** A sender under load: asks the service at one or several addresses in turn, and counts and times how each call ended. */
import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'

export interface SenderOptions {
  /** Asked in turn. */
  baseUrls: readonly string[]
  key: string
  /** PEM of the authority that vouches for the certificate of an https address. */
  authority?: string
}

/** A call, the status that acknowledges it, and the name under which it is counted. */
export interface Call {
  name: string
  method: string
  path: string
  body?: unknown
  expected: number
}

/** The answer was another one than expected, or none came: nothing follows from it about what the service did. */
export class NotAcknowledged extends Error {
  override readonly name = 'NotAcknowledged'
}

export interface Sender {
  /** The answer's JSON, or undefined. Throws a NotAcknowledged. */
  ask(call: Call): Promise<unknown>
  /** How many calls ended in which way, by name and status or code: `create 201`, `sign ECONNRESET`; a 4xx with its reason. */
  readonly endings: Map<string, number>
  /** Milliseconds of each call that was acknowledged, by name. */
  readonly latencies: Map<string, number[]>
  /** Closes the connections that it keeps; a later call makes new ones. */
  close(): void
}

const TIMEOUT_MS = 60_000

export function createSender({ baseUrls, key, authority }: SenderOptions): Sender {
  const agents = { 'http:': new Agent({ keepAlive: true }), 'https:': new TlsAgent({ keepAlive: true, ca: authority }) }
  const endings = new Map<string, number>()
  const latencies = new Map<string, number[]>()
  let turn = 0

  return {
    endings,
    latencies,
    async ask({ name, method, path, body, expected }) {
      const url = new URL(path, baseUrls[turn++ % baseUrls.length])
      const text = body === undefined ? '' : JSON.stringify(body)
      const headers = {
        'x-api-key': key,
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      }
      const agent = agents[url.protocol as keyof typeof agents]
      const asked = performance.now()
      const answer = await exchange(url, { method, headers, agent, timeout: TIMEOUT_MS }, text)
      const ending = endingOf(answer)
      count(endings, `${name} ${ending}`)
      if (typeof answer === 'string' || answer.status !== expected) throw new NotAcknowledged(`${name}: ${ending}`)
      const times = latencies.get(name) ?? []
      latencies.set(name, times)
      times.push(performance.now() - asked)
      return answer.text === '' ? undefined : JSON.parse(answer.text)
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

export const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** A service that cannot answer now has to say when to come again. What it refuses is told with its reason, without numbers. */
function endingOf(answer: Answer | string): string {
  if (typeof answer === 'string') return answer
  const { status, headers, text } = answer
  if (status === 503 && headers['retry-after'] === undefined) return '503 without Retry-After'
  return status >= 400 && status < 500 ? `${status} ${reasonIn(text).replace(/\d+/g, 'n')}` : String(status)
}

function reasonIn(text: string): string {
  try {
    const { errors } = JSON.parse(text) as { errors: string[] }
    return errors[0]!
  } catch {
    return 'without a reason'
  }
}

/** The answer, or the code of what came instead of one. */
function exchange(url: URL, options: RequestOptions, body: string): Promise<Answer | string> {
  return new Promise((resolve) => {
    const lost = ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message)
    const asking = (url.protocol === 'https:' ? tlsRequest : request)(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', lost)
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() }),
      )
    })
    asking.on('error', lost)
    asking.on('timeout', () => asking.destroy(Object.assign(new Error('No answer in time.'), { code: 'ETIMEDOUT' })))
    asking.end(body)
  })
}
