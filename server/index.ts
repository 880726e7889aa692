/** The service: where its parts meet, and where time, ids and randomness come from. */
import { randomInt, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { systemClock, timeOf } from '../lib/clock.ts'
import { tokensOf } from '../lib/profile/names.ts'
import { createCrew } from './assembly/crew.ts'
import { sealOf } from './assembly/external-key.ts'
import { type Foundation, openFoundation } from './assembly/foundation.ts'
import { createFront } from './assembly/front.ts'
import { lifetime } from './assembly/lifetime.ts'
import { createPools } from './assembly/pools.ts'
import { waysIn } from './assembly/ways-in.ts'
import { CONNECTIONS, SILENT_CONNECTION_MS } from './choices.ts'
import { CATCH_PATH, targetPolicy } from './domain/delivery/target.ts'
import { limitConnections } from './http/connections.ts'
import { localUrlOf, urlOf } from './http/listen.ts'
import { type Measures, noMeasures } from './metrics/measures.ts'
import type { Metrics, MetricsParts } from './metrics/metrics.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { http } from './node-http.ts'
import { sendSeedOrders } from './operations/sandbox/seed/send-seed-orders.ts'
import { createPdfPool } from './pdf/workers/pool.ts'
import { createOrders } from './sandbox/orders/send.ts'
import type { Service, ServiceOptions } from './service.ts'
import { checkedSettings } from './settings.ts'
import { version } from './version.ts'
import { systemResolve } from './workers/delivery/resolve.ts'
import { watchEventLoop } from './workers/event-loop.ts'

export type { ServiceSettings } from './config.ts'
export type { Service, ServiceOptions } from './service.ts'

/**
 * Opens the store and puts the service together. Rejects with a sentence that says what to do.
 * @throws SettingsError that names every setting that is wrong or unknown
 */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  const { clock: realClock = systemClock, logger: log = pino({ enabled: false }), ...more } = options
  const { resolve = systemResolve, createPool = createPdfPool, team = null, teams = () => [], ...given } = more
  const settings = checkedSettings(given)
  const { profile, webhookRate: perMinute, retain: retainDays } = settings
  const maxAttachmentBytes = settings.maxAttachmentBytes ?? profile.limits.attachmentBytes
  const server = http.createServer({ requestTimeout: 120_000, headersTimeout: 20_000 })
  const origin = () => localUrlOf(server)
  const targets = {
    ...targetPolicy(settings.allowHttpWebhooks, settings.allowWebhookTarget),
    ...(settings.sandbox && {
      isCatcher: (url: URL) => server.listening && url.origin === origin() && url.pathname.startsWith(`${CATCH_PATH}/`),
    }),
  }

  const foundation = await openFoundation(settings, { log, realClock })
  const { store, keyring, sandbox, clock, apiKeys, seed } = foundation
  const seal = await sealOf(foundation, settings, { targets, resolve, clock: realClock, log })
  const pools = createPools({
    maxAttachmentBytes,
    tokens: tokensOf(profile),
    drawingDpi: settings.drawingDpi,
    createPool,
  })
  const stopping = new AbortController()
  const eventLoop = watchEventLoop(stopping.signal)
  const measured = { store, clock, pdfLoad: pools.load, eventLoop }
  const metrics = settings.metricsPort === undefined ? null : await metricsOf(measured)
  const measures: Measures = metrics ?? noMeasures
  store.onOutage(measures.outage)
  const crew = createCrew({
    settings,
    foundation,
    seal,
    measures,
    pdf: pools.pdf,
    targets,
    perMinute,
    retainDays,
    namesPatient: settings.certificatePatient === 'shown',
    profile,
    resolve,
    realClock,
    random: sandbox?.random ?? (() => randomInt(2 ** 32) / 2 ** 32),
    newId: randomUUID,
    log,
    version,
  })
  const sampleOrders = createOrders({ store, keyring, profile, prefix: randomUUID().slice(0, 4) })
  const { app, loadTables } = createFront({
    settings,
    maxAttachmentBytes,
    foundation,
    pools,
    crew,
    waysIn: await waysIn(settings, foundation, { realClock, log }),
    targets,
    measures,
    eventLoop,
    log,
    stopping: stopping.signal,
    origin,
    realClock,
    sampleOrders,
    team,
    teams,
  })
  const metricsServer = metrics && serveMetrics(metrics)
  const life = lifetime({ server, loadTables, settings, crew, pools, store, stopping, metrics: metricsServer })
  server.on('request', app)
  server.timeout = SILENT_CONNECTION_MS
  const isProxy: (address: string, hop: number) => boolean = app.get('trust proxy fn')
  limitConnections(server, CONNECTIONS, (address) => isProxy(address, 0))
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
    sealCertificates: foundation.certificatePem,
    apiKeys,
    ...life,
    async start() {
      await life.start()
      if (seed)
        await sendSeedOrders(seed, {
          store,
          at: timeOf(clock),
          ordersOf: (id) => sampleOrders.ordersOf(id, urlOf(server)),
        })
    },
    issueTemporaryKey: (name) => issueTemporaryKey(foundation, name),
  }
}

/** Metrics are loaded only when they are enabled, because the library is large. */
async function metricsOf(parts: MetricsParts): Promise<Metrics> {
  const { createMetrics } = await import('./metrics/metrics.ts')
  return createMetrics(parts)
}

async function issueTemporaryKey({ store, keyring, clock, sandbox }: Foundation, name: string): Promise<string> {
  const organization = { name, npi: null, addresses: [], ingestionEnabled: true }
  const find = async () => (await store.organizations.findByName(name))?.id
  const make = () => store.organizations.create(organization, timeOf(clock))
  // Another instance may make it at the same moment.
  const makeOrFind = () =>
    make().catch(async (failure: unknown) => {
      const made = await find()
      if (made === undefined) throw failure
      return made
    })
  const id = (await find()) ?? (await makeOrFind())
  sandbox?.hosted.add(name)
  return keyring.issueTemporary(id)
}
