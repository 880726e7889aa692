/**
 * Receives posts to our own paths below Node-RED's HTTP root, with their bytes exactly as they came.
 *
 * With the admin root at `/`, Node-RED's own JSON parser reads every body before any node sees it, and a signature cannot be
 * checked over rewritten JSON. So a first layer, moved to the top of the root application as the core node `http in` moves its
 * own, keeps the bytes of posts to claimed paths; a second layer, where nodes answer, hands them over. Neither is a route: a
 * core `http in` node that closes removes all routes of its path, even those of others.
 */
import type { App, Handler, Next, Request, Response, Runtime } from './node-red.ts'
import { replyOf } from './round-trips.ts'

export interface Answer {
  status: number
  headers: Record<string, string>
  /** The body as it is sent; JSON, as the headers say. */
  body: string
}

/** Answers a post, given its raw bytes and its headers. Never rejects. */
export type Receive = (payload: Buffer, headers: Request['headers']) => Promise<Answer>

export interface Claim {
  /** Gives the path up to the next claimant in line, if there is one. */
  release(): void
}

interface Claimant {
  receive: Receive
  /** Called with true when posts come here, and with false while another node has the path. */
  onTurn(isOurs: boolean): void
}

/** An event is below one kilobyte. */
const MAX_BODY_BYTES = 64 * 1024
const RAW = Symbol('countersign raw body')
type Captured = Request & { [RAW]?: Buffer | 'too large' }

/** The claimants of each path, in line; the first one has it. */
const claims = new Map<string, Claimant[]>()

/** The path as the caller writes it, regardless of slashes in the settings and the node's form. */
export const fullPath = (app: App, path: string) => tidy(`${app.path()}/${path}`)
const tidy = (path: string) => `/${path.split('?')[0]}`.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')

/** Claims a path below the HTTP root. A path that is taken goes to the claimant when those before it have released it. */
export function claimPath(runtime: Runtime, path: string, claimant: Claimant): Claim {
  captureAbove(runtime.httpNode)
  const key = fullPath(runtime.httpNode, path)
  const line = claims.get(key) ?? []
  claims.set(key, [...line, claimant])
  claimant.onTurn(line.length === 0)
  return {
    release() {
      const rest = (claims.get(key) ?? []).filter((other) => other !== claimant)
      const wasFirst = claims.get(key)?.[0] === claimant
      if (rest.length > 0) claims.set(key, rest)
      else claims.delete(key)
      if (wasFirst) rest[0]?.onTurn(true)
    },
  }
}

const owner = (request: Request) =>
  request.method === 'POST' ? claims.get(tidy(request.originalUrl ?? request.url ?? ''))?.[0] : undefined

const answering = new WeakSet<App>()
const capturing = new WeakSet<App>()

/** Called when the node file is loaded, so that the answering layer is before the routes of all `http in` nodes. */
export function answerBelow(runtime: Runtime) {
  const app = runtime.httpNode
  if (!app || answering.has(app)) return
  answering.add(app)
  for (const middleware of [runtime.settings.httpNodeMiddleware ?? []].flat()) app.use(onlyOurs(middleware))
  app.use(dispatch)
}

/** Called with the first claim: by then the node application is mounted in its root. */
function captureAbove(app: App) {
  let root = app
  while (root.parent) root = root.parent
  if (capturing.has(root)) return
  capturing.add(root)
  root.use(capture)
  const { stack } = (root._router ?? root.router)!
  const index = stack.findIndex((layer) => layer.handle === capture)
  stack.unshift(...stack.splice(index, 1))
}

/** The operator's middleware runs before our paths, as it does before `http in`. For other paths, calling it is not up to us. */
const onlyOurs =
  (middleware: Handler): Handler =>
  (request, response, next) =>
    owner(request) ? middleware(request, response, next) : next()

/**
 * Reads the body, but answers nothing: Express has not made its response yet. A body that is too large is read to its end and
 * dropped, so that the caller gets the answer.
 */
function capture(request: Captured, _response: Response, next: Next) {
  if (!owner(request) || request._body || request.readableEnded) return next()
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  })
  request.once('error', next)
  request.once('end', () => {
    request[RAW] = size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : 'too large'
    // Body parsers behind this layer skip a request that has this flag.
    request._body = true
    request.body = undefined
    next()
  })
}

function dispatch(request: Captured, response: Response, next: Next) {
  const claimant = owner(request)
  if (!claimant) return next()
  const payload = request[RAW]
  if (!payload) return refuse(response, 500, 'was read by a program in front of Node-RED, so it cannot be verified')
  if (payload === 'too large') return refuse(response, 413, `at most ${MAX_BODY_BYTES} bytes`)
  const reply = replyOf(payload)
  if (reply !== undefined) return void response.status(200).set({ 'content-type': 'application/json' }).send(reply)
  claimant
    .receive(payload, request.headers)
    .then(({ status, headers, body }) => response.status(status).set(headers).send(body))
    .catch(next)
}

const refuse = (response: Response, status: number, reason: string) =>
  response.status(status).json({ errors: [`body: ${reason}`] })
