/** `fetch` through a proxy, for the calls to the provider of single sign-on. Follows no redirect. */
import http, { type Agent, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { CustomFetch } from 'openid-client'
import { bareHost } from '../../domain/delivery/target.ts'
import { type ProxyPlace, proxyFor } from '../../domain/proxy-place.ts'
import { tunnelAgent } from '../../tunnel.ts'

/** Documents and tokens of providers are a few kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024

export function tunnelledFetch(proxy: ProxyPlace): CustomFetch {
  const tunnels: Readonly<Record<string, Agent>> = {
    'http:': tunnelAgent('http:', proxy),
    'https:': tunnelAgent('https:', proxy),
  }
  return async (target, init) => {
    const request = new Request(target, init as RequestInit)
    const url = new URL(target)
    const body = Buffer.from(await request.arrayBuffer())
    const agent = proxyFor(bareHost(url), proxy) && tunnels[url.protocol]
    const { request: dial } = url.protocol === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      const call = dial(url, {
        method: request.method,
        headers: { ...Object.fromEntries(request.headers), ...(body.length > 0 && { 'content-length': body.length }) },
        signal: request.signal,
        ...(agent && { agent }),
      })
      const failed = (cause: unknown) => reject(request.signal.aborted ? request.signal.reason : asFetch(cause))
      call.once('error', failed)
      call.once('response', (answer) => void answered(answer).then(resolve, failed))
      call.end(body)
    })
  }
}

/** Returns the error with which `fetch` rejects when there is no answer. */
const asFetch = (cause: unknown) => new TypeError('fetch failed', { cause })

async function answered(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES)
      throw Object.assign(new Error('The answer of the provider is too long.'), { code: 'TooLong' })
    chunks.push(chunk)
  }
  const status = answer.statusCode ?? 0
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return new Response(WITHOUT_BODY.includes(status) ? null : Buffer.concat(chunks), { status, headers })
}

const WITHOUT_BODY = [204, 205, 304]
