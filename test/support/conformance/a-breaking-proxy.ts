/** A proxy in front of a real service that breaks one rule of the interface: it changes requests, answers or callbacks. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// biome-ignore lint/suspicious/noExplicitAny: bodies are taken as they come, and changed in any place
export type Body = any

/** As it goes on to the service. */
export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  key: string | undefined
  body: Body
}

export interface Answered {
  status: number
  body: Body
}

export interface Break {
  /** What the host does. */
  name: string
  /** The rules that find it, and no others. */
  finds: readonly string[]
  request?(asked: Asked, keys: { first: string; second: string }): void
  answer?(answered: Answered, asked: Asked): void
  /** Changes the headers of a callback to this subscription of the rules. */
  callback?(headers: Record<string, string>, subscription: string): void
}

const KEY = 'x-api-key'

export async function aBreakingProxy(target: string, rule: Break, keys: { first: string; second: string }) {
  const server = createServer((request, response) => {
    const handled = request.url!.startsWith('/to/') ? passBack(request, response) : passOn(request, response)
    handled.catch(() => response.destroy())
  })

  async function passOn(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url!, target)
    const text = Buffer.concat(await request.toArray()).toString()
    const key = request.headers[KEY] as string | undefined
    const asked: Asked = {
      method: request.method!,
      path: url.pathname,
      query: url.searchParams,
      key,
      body: text === '' ? undefined : JSON.parse(text),
    }
    rule.request?.(asked, keys)
    if (rule.callback && asked.body?.url) asked.body.url = asked.body.url.replace('http://127.0.0.1:', back())
    const sent = await fetch(url, {
      method: asked.method,
      headers: { ...(asked.key && { [KEY]: asked.key }), ...(asked.body && { 'content-type': 'application/json' }) },
      body: asked.body === undefined ? null : JSON.stringify(asked.body),
    })
    const answer = (await sent.text()).replaceAll(back(), 'http://127.0.0.1:')
    const answered: Answered = { status: sent.status, body: answer === '' ? undefined : JSON.parse(answer) }
    rule.answer?.(answered, asked)
    response.writeHead(answered.status, { 'content-type': 'application/json' })
    response.end(answered.status === 204 || answered.body === undefined ? undefined : JSON.stringify(answered.body))
  }

  /** Callbacks of the service come here: `/to/PORT/path` goes on to the receiver at that port. */
  async function passBack(request: IncomingMessage, response: ServerResponse) {
    const headers = kept(request.headers)
    rule.callback!(headers, request.url!.split('/').at(-1)!)
    const body = Buffer.concat(await request.toArray())
    const url = `http://127.0.0.1:${request.url!.slice('/to/'.length)}`
    const { status } = await fetch(url, { method: 'POST', headers, body })
    response.writeHead(status).end()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const back = () => `${baseUrl}/to/`
  return {
    baseUrl,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Without what belongs to the connection. */
const kept = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith('x-') || name === 'content-type')
      .map(([name, value]) => [name, String(value)]),
  )
