/**
 * Answers what the editor asks about configuration nodes: whether the settings that are typed would work, which ids a deployed
 * service knows, and where its pages are. Answers only users whom Node-RED lets do this, and never with a key.
 */
import { systemClock } from '../../../lib/clock.ts'
import { pagesAddress } from '../address/embedded-address.ts'
import { knownFailure } from '../runtime/failures.ts'
import type { Handler, Response, Runtime } from '../runtime/node-red.ts'
import type { Connection, ServiceNode } from '../service/connection.ts'
import { type Typed, trySettings } from '../trial/try-settings.ts'

const answering = new WeakSet<object>()

/** Called when the node file is loaded: the routes belong to the node type, not to a node. */
export function registerAdminRoutes(runtime: Runtime) {
  const app = runtime.httpAdmin
  if (!app || answering.has(app)) return
  answering.add(app)
  const mayRead = runtime.auth.needsPermission('countersign-service.read')
  // A trial sends the stored key to the address that is typed, as a deploy would.
  const mayDeploy = runtime.auth.needsPermission('flows.write')

  const about =
    (answer: (service: ServiceNode, query: Record<string, unknown>) => Promise<unknown>): Handler =>
    (request, response) => {
      const service = runtime.nodes.getNode(request.params.id) as ServiceNode | null
      if (service?.type !== 'countersign-service') return refuse(response, { code: 'NOT_DEPLOYED' })
      settle(response, answer(service, request.query))
    }
  const list = (look: (connection: Connection) => Promise<unknown>) => about((service) => service.connect().then(look))
  const types = list(({ lookUps }) => lookUps.documentTypes())
  const templates = list(({ lookUps }) => lookUps.templates())

  app.post('/countersign/services/:id/test', mayDeploy, ({ params, body }, response) => {
    const typed = typedIn(params.id!, body)
    if (!typed) return refuse(response, { code: 'BAD_BODY' }, 400)
    settle(response, trySettings(runtime, typed, systemClock))
  })
  app.get('/countersign/services/:id/pages', mayRead, about(pages))
  app.get('/countersign/services/:id/document-types', mayRead, types)
  app.get('/countersign/services/:id/templates', mayRead, templates)
}

function settle(response: Response, answer: Promise<unknown>): void {
  response.set({ 'cache-control': 'no-store' })
  answer.then(
    (body) => response.json(body),
    (failure) => refuse(response, knownFailure(failure)),
  )
}

const refuse = (response: Response, failure: { code: string }, status = 503) => {
  response.set({ 'cache-control': 'no-store' })
  response.status(status).json({ error: failure.code })
}

function typedIn(id: string, body: unknown): Typed | null {
  const { properties, apiKey } = (body ?? {}) as { properties?: unknown; apiKey?: unknown }
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return null
  if (apiKey !== undefined && typeof apiKey !== 'string') return null
  return { id, properties: properties as Typed['properties'], ...(apiKey !== undefined && { apiKey }) }
}

/** Gives the addresses of the pages for a browser that has the editor open at the host `from`; null where there are none. */
async function pages({ connect, settings }: ServiceNode, { from }: Record<string, unknown>) {
  const { address } = await connect()
  const base = address === null ? null : pagesAddress(settings.publicUrl, address, String(from))
  return { runs: address !== null, inbox: base && `${base}/inbox`, console: base && `${base}/console` }
}
