/** The service: the one place where its parts meet, and where time, ids and randomness come from. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { type Logger, pino } from 'pino'
import { type Clock, systemClock, timeOf } from '../lib/clock.ts'
import { stackFrames } from '../lib/stack-frames.ts'
import { VERIFY_TIMEOUT_MS, WEBHOOK_SECRET_BYTES } from './choices.ts'
import { type ServiceSettings, Settings } from './config.ts'
import { type SeededKey, seedDemo } from './demo/seed.ts'
import { targetPolicy } from './domain/delivery/target.ts'
import { createApp } from './http/app.ts'
import { createBodyRooms } from './http/bodies/body-rooms.ts'
import { accountRoutes } from './http/callers/account.ts'
import { listen, urlOf } from './http/listen.ts'
import { pageRoutes } from './http/pages.ts'
import { createKeyring } from './keys/keyring.ts'
import { createPdfPool, type PdfPool, type PdfPoolOptions } from './pdf/workers/pool.ts'
import { createHouse } from './pdf/workers/turns.ts'
import { createEntrance } from './people/entrance.ts'
import { openSandbox } from './sandbox/sandbox.ts'
import { createScriptedSigners } from './sandbox/scripted-signers.ts'
import { rememberCertificate } from './signing/seal-certificates.ts'
import { sealOfService } from './signing/seal-of-service.ts'
import { createSigning } from './signing/sign.ts'
import { masterKeys } from './store/sealing/master-key.ts'
import { keepPrivate } from './store/sealing/private-folder.ts'
import { openStore, type Store } from './store/store.ts'
import { version } from './version.ts'
import { createDispatcher } from './workers/dispatch.ts'
import { createIngestion } from './workers/ingest.ts'
import { createLive } from './workers/live.ts'
import { createPoster } from './workers/post.ts'
import { type Resolve, systemResolve } from './workers/resolve.ts'
import { createRetention } from './workers/retention.ts'

export type { ServiceSettings } from './config.ts'

export interface ServiceOptions extends ServiceSettings {
  clock?: Clock
  /** Logs hold route templates and ids, never patients' data. Silent when left out. */
  logger?: Logger
  /** Resolves the names of receivers; the resolver of the machine when left out. */
  resolve?: Resolve
  /** Makes what accepts, places and seals documents; worker threads when left out. */
  createPool?: (options: PdfPoolOptions) => PdfPool
}

export interface Service {
  /** Known once the service has started. */
  readonly baseUrl: string
  readonly inboxUrl: string
  readonly mode: 'sandbox' | 'production'
  /** The keys that seeding made just now; they are not shown again. */
  readonly apiKeys: readonly SeededKey[]
  /** Listens and begins to work. Rejects with a sentence when the port is taken. */
  start(): Promise<void>
  /** Finishes what is under way. The service cannot be started again after this. */
  stop(): Promise<void>
  /** A key that lives in this process only and is never stored. Makes the organization when there is none of this name. */
  issueTemporaryKey(organization: string): Promise<string>
}

/** Opens the store and puts the service together. Rejects with a sentence that says what to do. */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  const { clock: realClock = systemClock, logger: log = pino({ enabled: false }) } = options
  const { resolve = systemResolve, createPool = createPdfPool } = options
  const settings = Settings.parse(options)
  const { maxAttachmentBytes, requestsPerMinute, callbacksPerMinute: perMinute, trustedProxies } = settings
  const targets = targetPolicy(settings.allowHttpWebhooks, settings.allowWebhookTargets)
  const { data, masterKey: current, oldMasterKeys: older } = settings
  const wereOpen = keepPrivate(data)
  if (wereOpen.length > 0) log.warn({ paths: wereOpen }, 'other users could read these; now they cannot')
  const store = await openStore(data, ...masterKeys(data, current, older, settings.sandbox))
  const keyring = createKeyring(store, settings.sandbox ? 'test' : 'live', randomBytes)
  const orClose = async (failure: unknown): Promise<never> => {
    await store.close()
    throw failure
  }
  await mustKnowWhoReceives(store).catch(orClose)
  const random = () => randomInt(2 ** 32) / 2 ** 32
  const sandbox = settings.sandbox ? await openSandbox({ store, realClock, random }).catch(orClose) : null
  const clock = sandbox?.clock ?? realClock
  const apiKeys = settings.seed === 'demo' ? await seedDemo(store, keyring, timeOf(clock)).catch(orClose) : []
  const seal = await sealOfService(settings, store, timeOf(clock)).catch(orClose)
  const certificatePem = await rememberCertificate(seal.certificatePem, store, timeOf(clock)).catch(orClose)

  const house = createHouse()
  const pdf = createPool({ limits: { maxBytes: maxAttachmentBytes }, house })
  // Anybody may have documents verified, so that must not hold up those that are sent and signed.
  const verifying = createPdfPool({
    limits: { maxBytes: maxAttachmentBytes, readTimeoutMs: VERIFY_TIMEOUT_MS },
    threads: 1,
    house,
    isGuest: true,
  })
  const newId = randomUUID
  const onFault = (worker: string) => (fault: unknown) => {
    const { name, code } = fault as NodeJS.ErrnoException
    log.error({ worker, name, code, frames: stackFrames(fault) }, 'fault')
  }
  const signing = createSigning({ store, pdf, seal, clock, newId, isTest: sandbox !== null })
  const ingestion = createIngestion({ store, pdf, clock, newId, onFault: onFault('ingestion') })
  // Receivers live in real time, whatever time a sandbox has.
  const plain = createPoster({ clock: realClock, targets, resolve })
  const poster = sandbox?.disturbed(plain) ?? plain
  const dispatching = { store, poster, clock, random, perMinute, lease: newId(), onFault: onFault('dispatcher') }
  const dispatcher = createDispatcher(dispatching)
  const retention = createRetention({ store, clock, onFault: onFault('retention') })
  const scripts = sandbox ? createScriptedSigners({ store, signing, clock, onFault: onFault('scripts') }) : null
  const live = createLive({ ingestion, deliveries: dispatcher, retention, ...(scripts && { 'demo signers': scripts }) })
  store.onWork((what) => {
    ;(what === 'task' ? ingestion : dispatcher).wake()
    live.changed()
  })

  const entrance = createEntrance({ store, clock, random: randomBytes, sandbox: sandbox !== null })
  const rooms = createBodyRooms(maxAttachmentBytes)
  const pages = [pageRoutes(), accountRoutes(entrance, rooms.signIns)]

  const workers = [ingestion, ...(scripts ? [scripts] : []), dispatcher]
  const app = createApp({
    store,
    keyring,
    pdf,
    clock,
    log,
    version,
    newId,
    newSecret: () => randomBytes(WEBHOOK_SECRET_BYTES),
    signing,
    entrance,
    live,
    verification: { pdf: verifying, certificatePem },
    targets,
    maxAttachmentBytes,
    rooms,
    trustedProxies,
    requestsPerMinute,
    beforeReading: sandbox ? [sandbox.disturbRequest] : [],
    sandbox: sandbox && { time: sandbox.timeTravel(workers), faults: sandbox.faults },
    further: pages,
  })
  const server = createServer({ requestTimeout: 120_000, headersTimeout: 20_000 }, app)
  return {
    get baseUrl() {
      return urlOf(server)
    },
    get inboxUrl() {
      return `${urlOf(server)}/inbox`
    },
    mode: sandbox ? 'sandbox' : 'production',
    apiKeys,
    async start() {
      await listen(server, settings.port, settings.host).catch(async (failure) => {
        await Promise.all([pdf.close(), verifying.close(), store.close()])
        throw failure
      })
      for (const worker of [ingestion, dispatcher, retention, scripts]) worker?.start()
    },
    async stop() {
      live.close()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      const patience = setTimeout(() => {
        server.closeAllConnections()
        dispatcher.abandon()
      }, STOP_PATIENCE_MS)
      await Promise.all([closed, ingestion.stop(), dispatcher.stop(), retention.stop(), scripts?.stop()])
      clearTimeout(patience)
      await Promise.all([pdf.close(), verifying.close()])
      await store.close()
    },
    async issueTemporaryKey(name) {
      const known = await store.organizations.findByName(name)
      const organization = { name, npi: null, addresses: [], ingestionEnabled: true }
      return keyring.issueTemporary(known?.id ?? (await store.organizations.create(organization, timeOf(clock))))
    },
  }
}

/** A store from before NPIs were kept apart is put in order by its operator: only a person knows whose it is. */
async function mustKnowWhoReceives(store: Store): Promise<void> {
  const ids = await store.organizations.contestedNpi()
  if (ids)
    throw new Error(
      `Organizations ${ids.join(' and ')} have the same NPI, so that it is not clear who receives an order. Take it from all but one (countersign organizations set-npi ${ids.at(-1)} none) and start again.`,
    )
}

/** How long a request under way may go on when the service stops. */
const STOP_PATIENCE_MS = 5_000
