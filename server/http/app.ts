/** The HTTP side of the service on one screen: what every request passes, in order. */
import express, { type Express, type Router } from 'express'
import helmet, { type HelmetOptions } from 'helmet'
import type { Logger } from 'pino'
import { stackFrames } from '../../lib/stack-frames.ts'
import { withoutPort } from '../domain/network.ts'
import { accessLog, type RequestFacts } from './access-log.ts'
import { auditRefusal } from './audit-refusal.ts'
import { answerRoom } from './bodies/answer-room.ts'
import { bodyReaders } from './bodies/bodies.ts'
import type { BodyRooms } from './bodies/body-rooms.ts'
import { paceOf } from './callers/pace.ts'
import { createTurns } from './callers/turns.ts'
import { COOKIE_ENDING } from './callers/visit.ts'
import { below } from './doors/below.ts'
import { type OperatorDoorParts, operatorDoor } from './doors/operator.ts'
import { type SandboxDoorParts, type SandboxPart, sandboxDoor } from './doors/sandbox.ts'
import { type SenderDoorParts, senderDoor } from './doors/sender.ts'
import { type SignerDoorParts, signerDoor } from './doors/signer.ts'
import { failures } from './failures.ts'
import { loggedRoute } from './logged-route.ts'
import { mount } from './mount.ts'

export interface AppParts extends SenderDoorParts, OperatorDoorParts, Omit<SignerDoorParts, 'store'> {
  log: Logger
  /** Aborted when the service begins to stop. */
  stopping: AbortSignal
  version: string
  /** The team whose sandbox it is; null where the process has one service only. */
  team: string | null
  maxAttachmentBytes: number
  rooms: BodyRooms
  /** Addresses and CIDR ranges of the proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  /** Called with the result of each request, and with each fault. */
  onRequest(facts: RequestFacts): void
  onFault(fault: unknown): void
  /** The control plane; null in production, which has none. */
  sandbox:
    | (Pick<SandboxDoorParts, SandboxPart> & {
        /** Returns the OpenAPI document with examples that work now. */
        withLiveExamples: (described: object) => Promise<object>
      })
    | null
  /** Routes that are in no table: the pages, and signing in to them. */
  further: readonly Router[]
}

export interface App {
  app: Express
  /** Loads all tables: a build may take the place of this one before someone asks for them, and then they are gone. */
  loadTables(): Promise<void>
}

export function createApp(parts: AppParts): App {
  const { clock, log, stopping } = parts
  const app = express()
  // Made when it is first asked for: a start would wait for it.
  const describe = (path: string, describeIt: () => Promise<object>, now = async (described: object) => described) => {
    let description: Promise<object> | undefined
    app.get(path, loggedRoute(path), async (_req, res) => {
      description ??= describeIt()
      res.json(await now(await description))
    })
  }
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('trust proxy', parts.trustedProxies)
  if (parts.team !== null) app.set(COOKIE_ENDING, `-${parts.team}`)
  app.use((req, _res, next) => {
    const forwarded = req.headers['x-forwarded-for']
    // Each port would count as a network of its own, and no proxy in a chain would be known by its address.
    if (forwarded !== undefined)
      req.headers['x-forwarded-for'] = String(forwarded).split(',').map(withoutPort).join(', ')
    next()
  })
  app.use(accessLog(log, parts.newId, parts.onRequest))
  app.use(helmet(HEADERS))
  app.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store')
    // Proxies then send the next request to another instance.
    if (stopping.aborted) res.setHeader('Connection', 'close')
    next()
  })

  const { version, profile } = parts
  const ownOpenapi = async () => {
    const { hostOpenapi } = await import('../../lib/profile/host-openapi.ts')
    return hostOpenapi({ version, profile })
  }
  describe('/openapi.json', ownOpenapi, parts.sandbox?.withLiveExamples)
  describe('/admin/v1/openapi.json', async () => {
    const { operatorOpenapi } = await import('../operations/operator/openapi.ts')
    return operatorOpenapi({ version })
  })
  if (parts.sandbox)
    describe('/sandbox/v1/openapi.json', async () => {
      const { sandboxOpenapi } = await import('../operations/sandbox/openapi.ts')
      return sandboxOpenapi({ version, keyHeader: profile.apiKeyHeader })
    })
  const mounting = {
    paceOf: paceOf(parts.store, clock),
    readersOf: bodyReaders(parts.maxAttachmentBytes, parts.rooms),
    inTurn: createTurns(),
    holdAnswer: answerRoom(parts.rooms.answers),
    onRefusal: auditRefusal(parts.store, clock),
  }
  const senders = async () => (await import('../operations/sender/table.ts')).senderTable(profile)
  const signers = async () => (await import('../operations/signer/table.ts')).signer
  const operators = async () => (await import('../operations/operator/table.ts')).operator
  const ofSandbox = async () => (await import('../operations/sandbox/table.ts')).sandbox
  const tables = [
    mount(app, { below: below.sender(profile), table: senders, door: senderDoor(parts) }, mounting),
    mount(app, { below: below.signer, table: signers, door: signerDoor(parts) }, mounting),
    mount(app, { below: below.operator, table: operators, door: operatorDoor(parts) }, mounting),
  ]
  if (parts.sandbox) {
    const door = sandboxDoor({ ...parts, ...parts.sandbox })
    tables.push(mount(app, { below: below.sandbox, table: ofSandbox, door }, mounting))
  }
  for (const router of parts.further) app.use(router)

  app.use((_req, res) => {
    res.status(404).json({ errors: ['path: nothing here; GET /openapi.json describes what there is'] })
  })
  app.use(
    failures((fault, res) => {
      parts.onFault(fault)
      const { requestId, loggedRoute: route } = res.locals
      // The message stays out of the log: a library may have put a value of the request into it.
      const { name, code } = fault as NodeJS.ErrnoException
      log.error({ requestId, route, name, code, frames: stackFrames(fault) }, 'request failed')
    }),
  )
  return {
    app,
    async loadTables() {
      for (const load of tables) await load()
    },
  }
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
      // A PDF that says that it may be shown so.
      frameSrc: ["'self'"],
      fontSrc: ["'self'"],
      workerSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  },
}
