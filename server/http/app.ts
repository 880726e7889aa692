/** The HTTP side of the service on one screen: what every request passes, in order. */
import express, { type Express, type Request, type RequestHandler, type Response, type Router } from 'express'
import helmet, { type HelmetOptions } from 'helmet'
import type { Logger } from 'pino'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { openapi } from '../../lib/contract/openapi.ts'
import { stackFrames } from '../../lib/stack-frames.ts'
import { MAX_SMALL_BODY_BYTES } from '../choices.ts'
import type { Actor } from '../domain/audit.ts'
import type { TargetPolicy } from '../domain/target.ts'
import type { Keyring } from '../keys/keyring.ts'
import { examine } from '../operations/examine.ts'
import type { OperationContext } from '../operations/operation.ts'
import type { PdfPool } from '../pdf/pool.ts'
import type { Store } from '../store/store.ts'
import { accessLog } from './access-log.ts'
import { authenticate } from './authenticate.ts'
import { type BodyRooms, createBodyLimit } from './body-rooms.ts'
import { failures } from './failures.ts'
import { jsonBody } from './json-body.ts'
import { mount } from './mount.ts'
import { noteRefusals } from './note-refusals.ts'
import { rateLimit } from './rate-limit.ts'

export interface AppParts {
  store: Store
  keyring: Keyring
  pdf: PdfPool
  clock: Clock
  log: Logger
  version: string
  newId(): string
  newSecret(): Uint8Array
  targets: TargetPolicy
  maxAttachmentBytes: number
  rooms: BodyRooms
  /** Addresses and CIDR ranges of the proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  /** For each key; undefined sets no limit. */
  requestsPerMinute: number | undefined
  /** What a request of a known caller passes before it is read, such as the faults of a sandbox. */
  beforeReading: readonly RequestHandler[]
  /** Routes that are not part of the partner interface, such as the control plane of a sandbox. */
  further: readonly Router[]
}

export function createApp(parts: AppParts): Express {
  const { clock, keyring, log } = parts
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('trust proxy', parts.trustedProxies)
  app.use(accessLog(log, parts.newId))
  app.use(helmet(HEADERS))
  app.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store')
    next()
  })

  const document = openapi({ version: parts.version })
  app.get('/openapi.json', (_req, res) => {
    res.locals.template = '/openapi.json'
    res.json(document)
  })
  mount(app, {
    authenticate: [authenticate(keyring, clock), rateLimit(parts.requestsPerMinute, clock), ...parts.beforeReading],
    bodyOf: (name) =>
      name === 'createTask'
        ? jsonBody(createBodyLimit(parts.maxAttachmentBytes), parts.rooms.documents)
        : jsonBody(MAX_SMALL_BODY_BYTES, parts.rooms.calls),
    contextOf: (req, res) => contextOf(parts, req, res),
    onRefusal: noteRefusals(parts.store, clock, actorOf),
    alsoWrong: examine,
  })
  for (const router of parts.further) app.use(router)

  app.use((_req, res) => {
    res.status(404).json({ errors: ['path: nothing here; GET /openapi.json describes what there is'] })
  })
  app.use(
    failures((fault, res) => {
      const { name, code } = fault as NodeJS.ErrnoException
      // The message stays out of the log: a library may have put a value of the request into it.
      const frames = stackFrames(fault)
      log.error({ requestId: res.locals.requestId, route: res.locals.template, name, code, frames }, 'request failed')
    }),
  )
  return app
}

/** Nothing inline and nothing from elsewhere. The service itself may speak plain http on loopback, so nothing is upgraded. */
const HEADERS: HelmetOptions = {
  strictTransportSecurity: { maxAge: 31_536_000 },
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      fontSrc: ["'self'"],
      workerSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  },
}

/** Who acts, for the audit log. */
const actorOf = (req: Request, res: Response): Actor => ({
  kind: 'key',
  id: res.locals.caller?.keyId ?? null,
  requestId: res.locals.requestId,
  ip: req.ip,
})

function contextOf(parts: AppParts, req: Request, res: Response): OperationContext {
  const { store, pdf, clock, newId, newSecret, targets } = parts
  const caller = res.locals.caller ?? null
  return {
    caller,
    // Nobody's organization is 0, so an operation without a caller finds nothing.
    store: store.forOrganization(caller?.organizationId ?? 0, actorOf(req, res)),
    shared: store,
    pdf,
    at: timeOf(clock),
    newId,
    newSecret,
    targets,
    linkNext: (query) => {
      const search = new URLSearchParams()
      for (const [name, values] of Object.entries(query))
        for (const value of [values].flat()) search.append(name, value)
      res.setHeader('Link', `<${req.path}?${search}>; rel="next"`)
    },
  }
}
