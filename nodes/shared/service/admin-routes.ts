/**
 * Answers what the editor asks a deployed configuration node: whether the service answers, and which ids it knows. Answers only
 * users whom Node-RED lets read these nodes, and never with a key.
 */
import { RateLimitedError, UnauthorizedError, UnreachableError } from '../../../lib/client/errors.ts'
import type { Handler, Response, Runtime } from '../runtime/node-red.ts'
import type { Connection, ServiceNode } from './connection.ts'

const answering = new WeakSet<object>()

/** Called when the node file is loaded: the routes belong to the node type, not to a node. */
export function registerAdminRoutes(runtime: Runtime) {
  const app = runtime.httpAdmin
  if (!app || answering.has(app)) return
  answering.add(app)
  const mayRead = runtime.auth.needsPermission('countersign-service.read')

  const about =
    (answer: (service: ServiceNode) => Promise<unknown>): Handler =>
    (request, response) => {
      response.set({ 'cache-control': 'no-store' })
      const service = runtime.nodes.getNode(request.params.id) as ServiceNode | null
      if (service?.type !== 'countersign-service') return refuse(response, { code: 'NOT_DEPLOYED' })
      answer(service).then(
        (body) => response.json(body),
        (failure) => refuse(response, failure),
      )
    }
  const list = (look: (connection: Connection) => Promise<unknown>) => about((service) => service.connect().then(look))

  app.get('/countersign/services/:id/test', mayRead, about(test))
  app.get(
    '/countersign/services/:id/document-types',
    mayRead,
    list(({ lookUps }) => lookUps.documentTypes()),
  )
  app.get(
    '/countersign/services/:id/templates',
    mayRead,
    list(({ lookUps }) => lookUps.templates()),
  )
}

const refuse = (response: Response, failure: { code?: string }) =>
  response.status(503).json({ error: failure?.code ?? 'failed' })

/** `code` is the error of the network, when nobody answered. */
interface TestResult {
  outcome: string
  code?: string
}

/** Checks health before the key: different people mend them. */
async function test(service: ServiceNode): Promise<TestResult> {
  const connection = await service.connect().catch((failure: { code?: string }) => String(failure.code))
  if (typeof connection === 'string') return { outcome: OUTCOMES[connection] ?? 'failed' }
  try {
    await connection.direct.checkHealth()
    await connection.direct.listDocumentTypes()
    return { outcome: 'ok' }
  } catch (failure) {
    if (failure instanceof UnauthorizedError) return { outcome: 'unauthorized' }
    if (failure instanceof RateLimitedError) return { outcome: 'rateLimited' }
    // Another program may well refuse what it is asked.
    if (!(failure instanceof UnreachableError)) return { outcome: 'unexpected' }
    return { outcome: 'unhealthy', code: failure.code }
  }
}

const OUTCOMES: Record<string, string> = {
  NO_KEY: 'notConfigured',
  BAD_URL: 'notConfigured',
  BAD_PROFILE: 'badProfile',
  PORT_IN_USE: 'portInUse',
}
