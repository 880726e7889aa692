/**
 * A host that is not ours: plain node:http, none of our code. It has its own header names, wraps its lists, ignores filters, has
 * large ids, leaves out what it does not know, and signs callbacks with the text of the secret. `acme.json` is its profile.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callBack, type Subscriber } from './call-back.ts'
import { createRecords, type Json, type Records, shown } from './records.ts'

export const FOREIGN_KEY = 'acme-0123456789abcdef'

/** What a request asks for, and what the host answers: a status, and a body for JSON where there is one. */
interface Asked {
  method: string
  path: string
  query: URLSearchParams
  body: Json
}
type Answered = [status: number, body?: unknown]

export async function foreignHost() {
  const records = createRecords()
  const subscribers = new Map<number, Subscriber>()
  const requests: Asked[] = []
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://host')
    const chunks: Buffer[] = await request.toArray()
    const text = Buffer.concat(chunks).toString('utf8')
    const body = text === '' ? {} : (JSON.parse(text) as Json)
    const asked: Asked = { method: request.method ?? '', path: url.pathname, query: url.searchParams, body }
    requests.push(asked)
    const isOpen = url.pathname === '/partner/health-check'
    const isKnown = isOpen || request.headers['x-acme-key'] === FOREIGN_KEY
    const [status, answer] = isKnown ? answerTo(asked, records, subscribers) : [401, { message: 'Unknown key' }]
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    response.end(answer === undefined ? undefined : JSON.stringify(answer))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  /** Changes a task and tells all subscribers; returns the statuses that they answered. */
  const become = async (taskId: number, status: string, reason?: string) => {
    const task = records.tasks.get(taskId)!
    task.status = status
    if (reason !== undefined) task.reason = reason
    return Promise.all([...subscribers.values()].map((subscriber) => callBack(subscriber, task)))
  }

  return {
    baseUrl: `http://127.0.0.1:${port}`,
    /** All that was asked so far. */
    requests,
    records,
    presents: (taskId: number) => become(taskId, 'Pending'),
    signs: (taskId: number) => become(taskId, 'Completed'),
    rejects: (taskId: number, reason: string) => become(taskId, 'Rejected', reason),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type ForeignHost = Awaited<ReturnType<typeof foreignHost>>

function answerTo(asked: Asked, records: Records, subscribers: Map<number, Subscriber>): Answered {
  const { method, path } = asked
  const [, place = '', id] = /^\/partner(\/health-check|\/api\/v1\/[a-z/]+?)(?:\/(-?\d+))?$/.exec(path) ?? []
  const task = records.tasks.get(Number(id))
  switch (`${method} ${place.replace('/api/v1', '')}${id === undefined ? '' : '/:id'}`) {
    case 'GET /health-check':
      return [200]
    case 'GET /documenttypes':
      return [
        200,
        wrapped([
          { id: 70_000_000_001, name: 'Order', category: null },
          { id: 0, name: 'Other' },
        ]),
      ]
    case 'GET /signature/templates':
      return [200, wrapped([{ templateId: 4_000_000_001, summary: null, pdfRequired: true }])]
    case 'GET /users/providers/:id':
      return PROVIDERS.has(id!) ? [200, { ...PROVIDER, npi: id }] : [404, { message: 'No such provider' }]
    case 'POST /signature/tasks':
      return records.create(asked.body)
    case 'GET /signature/tasks':
      return [200, wrapped(pageOf(asked.query, records), { total: records.tasks.size })]
    case 'GET /signature/tasks/:id':
      return task ? [200, shown(task, asked.query.get('includeOutputAttachment') === 'true')] : NOTHING
    case 'PATCH /signature/tasks/:id':
      return task ? records.record(task, asked.query) : NOTHING
    case 'DELETE /signature/tasks/:id':
      return task ? records.retract(task, asked.query.get('reason')) : NOTHING
    case 'POST /signature/webhooks':
      return subscribe(asked.body, subscribers)
    case 'GET /signature/webhooks':
      return [
        200,
        wrapped([...subscribers].map(([of, { url, description }]) => ({ id: of, url, description, isActive: true }))),
      ]
    case 'DELETE /signature/webhooks/:id':
      return subscribers.delete(Number(id)) ? [204] : NOTHING
    default:
      return [405, { title: 'Not offered' }]
  }
}

const NOTHING: Answered = [404, { message: 'Nothing here' }]

const PROVIDERS = new Set(['9999900019', '9999900027', '9999900035'])

/** Nobody's signing name is known, and an organization has no NPI. */
const PROVIDER = {
  firstName: 'Helen',
  lastName: 'Marsh',
  signingName: null,
  organizations: [{ name: 'Lakeside', npi: '', addresses: [{ city: 'Duluth', postalCode: 55802 }] }],
  specialty: 'unknown to the interface',
}

const wrapped = (results: unknown[], more: Json = {}) => ({ ...more, results })

/** Newest first, from page 0; filters are ignored. */
function pageOf(query: URLSearchParams, { tasks }: Records): Json[] {
  const size = Number(query.get('perPage') ?? 20)
  const from = Number(query.get('pageNo') ?? 0) * size
  return [...tasks.values()]
    .reverse()
    .slice(from, from + size)
    .map((task) => shown(task, false))
}

function subscribe({ url, description }: Json, subscribers: Map<number, Subscriber>): Answered {
  const id = 5_000_000_000 + subscribers.size
  const secret = `acme-secret-${randomBytes(24).toString('hex')}`
  subscribers.set(id, { url: String(url), description, secret })
  return [201, { id, url, secret }]
}
