/** The service: where its parts meet, and where time, ids and randomness come from. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { type Logger, pino } from 'pino'
import { type Clock, systemClock, timeOf } from '../lib/clock.ts'
import { createCrew } from './assembly/crew.ts'
import { type Foundation, openFoundation } from './assembly/foundation.ts'
import { type Lifetime, lifetime } from './assembly/lifetime.ts'
import { createPools } from './assembly/pools.ts'
import { WEBHOOK_SECRET_BYTES } from './choices.ts'
import { type ServiceSettings, Settings } from './config.ts'
import type { SeededKey } from './demo/seed.ts'
import { targetPolicy } from './domain/delivery/target.ts'
import { createApp } from './http/app.ts'
import { createBodyRooms } from './http/bodies/body-rooms.ts'
import { accountRoutes } from './http/callers/account.ts'
import { urlOf } from './http/listen.ts'
import { pageRoutes } from './http/pages.ts'
import { readyRoute } from './http/ready.ts'
import { type Measures, noMeasures } from './metrics/measures.ts'
import { createMetrics } from './metrics/metrics.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { createPdfPool, type PdfPool, type PdfPoolOptions } from './pdf/workers/pool.ts'
import { createEntrance } from './people/entrance.ts'
import { version } from './version.ts'
import { type Resolve, systemResolve } from './workers/delivery/resolve.ts'
import { createReadiness } from './workers/readiness.ts'

export type { ServiceSettings } from './config.ts'

export interface ServiceOptions extends ServiceSettings {
  clock?: Clock
  /** Logs hold routes and ids, never patients' data. Silent when left out. */
  logger?: Logger
  /** Resolves the names of receivers; the resolver of the machine when left out. */
  resolve?: Resolve
  /** Makes the pool that accepts, places and seals documents; one of worker threads when left out. */
  createPool?: (options: PdfPoolOptions) => PdfPool
}

export interface Service extends Lifetime {
  /** Known once the service has started. */
  readonly baseUrl: string
  readonly inboxUrl: string
  /** Where the metrics are; null when nobody asked for them. Known once the service has started. */
  readonly metricsUrl: string | null
  readonly mode: 'sandbox' | 'production'
  /** The keys that seeding has just made; they are not shown again. */
  readonly apiKeys: readonly SeededKey[]
  /** Returns a key that lives in this process only and is never stored. Makes the organization if there is none of this name. */
  issueTemporaryKey(organization: string): Promise<string>
}

/** Opens the store and puts the service together. Rejects with a sentence that says what to do. */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  const { clock: realClock = systemClock, logger: log = pino({ enabled: false }) } = options
  const { resolve = systemResolve, createPool = createPdfPool } = options
  const settings = Settings.parse(options)
  const { maxAttachmentBytes, requestsPerMinute, callbacksPerMinute: perMinute, trustedProxies, retainDays } = settings
  const targets = targetPolicy(settings.allowHttpWebhooks, settings.allowWebhookTargets)
  const newId = randomUUID
  const random = () => randomInt(2 ** 32) / 2 ** 32

  const foundation = await openFoundation(settings, { log, realClock, random })
  const { store, keyring, sandbox, clock, apiKeys, certificatePem } = foundation
  const pools = createPools(maxAttachmentBytes, createPool)
  const { pdf, verifying } = pools
  const metrics = settings.metricsPort === undefined ? null : createMetrics({ store, clock, pdfLoad: pools.load })
  const measures: Measures = metrics ?? noMeasures
  const crew = createCrew({
    foundation,
    measures,
    pdf,
    targets,
    perMinute,
    retainDays,
    resolve,
    realClock,
    random,
    newId,
    log,
  })
  const entrance = createEntrance({ store, clock, random: randomBytes, sandbox: sandbox !== null })
  const stopping = new AbortController()
  const readiness = createReadiness({ store, workers: crew.health, stopping: stopping.signal })
  const rooms = createBodyRooms(maxAttachmentBytes)
  const app = createApp({
    stopping: stopping.signal,
    store,
    keyring,
    pdf,
    clock,
    log,
    version,
    newId,
    newSecret: () => randomBytes(WEBHOOK_SECRET_BYTES),
    signing: crew.signing,
    entrance,
    live: crew.live,
    verification: { pdf: verifying, certificatePem },
    targets,
    maxAttachmentBytes,
    rooms,
    trustedProxies,
    requestsPerMinute,
    onRequest: measures.request,
    onFault: (fault) => measures.fault('requests', fault),
    beforeReading: sandbox ? [sandbox.disturbRequest] : [],
    sandbox: sandbox && { time: sandbox.timeTravel(crew.inOrder), faults: sandbox.faults },
    further: [readyRoute(readiness), pageRoutes(), accountRoutes(entrance, rooms.signIns)],
  })
  const metricsServer = metrics && serveMetrics(metrics)
  const server = createServer({ requestTimeout: 120_000, headersTimeout: 20_000 }, app)
  return {
    get baseUrl() {
      return urlOf(server)
    },
    get inboxUrl() {
      return `${urlOf(server)}/inbox`
    },
    get metricsUrl() {
      return metricsServer && `${urlOf(metricsServer)}/metrics`
    },
    mode: sandbox ? 'sandbox' : 'production',
    apiKeys,
    ...lifetime({ server, settings, crew, pools, store, stopping, metrics: metricsServer }),
    issueTemporaryKey: (name) => issueTemporaryKey(foundation, name),
  }
}

async function issueTemporaryKey({ store, keyring, clock }: Foundation, name: string): Promise<string> {
  const known = await store.organizations.findByName(name)
  const organization = { name, npi: null, addresses: [], ingestionEnabled: true }
  return keyring.issueTemporary(known?.id ?? (await store.organizations.create(organization, timeOf(clock))))
}
