/**
 * The routes of the sidebar for a deployed service node, and for acts on its tasks. Users who may read these nodes are shown
 * the lists; to act on a task, or to take a signed document, they need the permission to write.
 */
import { fetchSigned } from '../../../lib/client/fetch-signed.ts'
import { retractOnce } from '../../../lib/client/once/retract-once.ts'
import { anyPathId, MAX_HOST_TEXT, upTo } from '../../../lib/contract/primitives.ts'
import { NotInTime } from '../../../lib/share-answer.ts'
import { listOrphans } from '../orphans/act.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Handler, Request, Response, Runtime } from '../runtime/node-red.ts'
import type { ServiceNode } from '../service/connection.ts'
import { jsonOf, parsed, refuse } from './answers.ts'
import { registerHeldRoutes } from './held-routes.ts'
import { nextLook } from './next-look.ts'
import { registerOrphanRoutes } from './orphan-routes.ts'
import { overview } from './overview.ts'
import { resend } from './resend.ts'

/** Calls may queue for minutes when the host asks to wait; a person at the editor gets an answer sooner. */
const PATIENCE_MS = 20_000

type Act = (service: ServiceNode, taskId: number, signal: AbortSignal, request: Request) => Promise<unknown>

/** Called when the node file is loaded: the routes belong to the node type, not to a node. */
export function registerSidebarRoutes(runtime: Runtime) {
  const app = runtime.httpAdmin
  if (!app) return
  const mayRead = runtime.auth.needsPermission('countersign-service.read')
  const mayWrite = runtime.auth.needsPermission('countersign-service.write')
  const onTask = (act: Act, answer?: (response: Response, result: unknown) => void) =>
    about(
      runtime,
      (service, signal, request) => act(service, parsed(anyPathId(), request.params.taskId, 'id'), signal, request),
      answer,
    )
  const path = '/countersign/services/:id/tasks'

  app.get(
    path,
    mayRead,
    about(
      runtime,
      ofEach((service) => overview(service, AbortSignal.timeout(PATIENCE_MS))),
    ),
  )
  app.post(`${path}/:taskId/retract`, mayWrite, onTask(retract))
  app.post(`${path}/:taskId/resend`, mayWrite, onTask(resendOf))
  app.get(`${path}/:taskId/signed-pdf`, mayWrite, onTask(signedPdf, sendPdf))
  registerHeldRoutes(app, { mayRead, mayWrite })
  const orphans = ofEach((service) => listOrphans(runtime, service))
  registerOrphanRoutes(runtime, app, { mayRead, mayWrite, about, orphans })
}

/** Many editors look every few seconds: of each service node, one look is under way at a time. */
function ofEach<T>(look: (service: ServiceNode) => Promise<T>): (service: ServiceNode) => Promise<T> {
  const looks = new WeakMap<ServiceNode, () => Promise<T>>()
  return (service) => {
    const known = looks.get(service) ?? nextLook(() => look(service), PATIENCE_MS)
    looks.set(service, known)
    return known()
  }
}

const retract: Act = async (service, taskId, signal, request) => {
  const { reason } = jsonOf(request)
  const given = parsed(upTo(MAX_HOST_TEXT).optional(), reason === '' ? undefined : reason, 'reason')
  const { client } = await service.connect()
  const retracted = await retractOnce(client, taskId, { reason: given, signal })
  await service.changes.tell(taskId)
  return retracted
}

const resendOf: Act = (service, taskId, signal, request) => {
  jsonOf(request)
  return resend(service, taskId, signal)
}

const signedPdf: Act = async (service, taskId, signal) => {
  const { client } = await service.connect()
  const { bytes } = await fetchSigned(client, taskId, { signal })
  return { bytes, taskId }
}

/** The name of the file has the id of the task alone: a sender's ids may tell whose document it is. */
function sendPdf(response: Response, result: unknown) {
  const { bytes, taskId } = result as { bytes: Buffer; taskId: number }
  response.set({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="task-${taskId}-signed.pdf"`,
    'x-content-type-options': 'nosniff',
  })
  response.send(bytes)
}

function about(
  runtime: Runtime,
  work: (service: ServiceNode, signal: AbortSignal, request: Request) => Promise<unknown>,
  answer = (response: Response, result: unknown) => response.json(result),
): Handler {
  return (request, response) => {
    response.set({ 'cache-control': 'no-store' })
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const asked = async () => work(deployed(runtime, request.params.id), signal, request)
    asked()
      .then((result) => answer(response, result))
      .catch((failure) => refuse(response, signal.aborted || failure instanceof NotInTime ? busy() : failure))
  }
}

function deployed(runtime: Runtime, id: unknown): ServiceNode {
  const service = runtime.nodes.getNode(id) as ServiceNode | null
  if (service?.type === 'countersign-service') return service
  throw new NodeError('NOT_DEPLOYED', 'The service is not deployed. Deploy first.')
}

const busy = () => new NodeError('BUSY', 'The host is busy or slow right now. Try again later.')
