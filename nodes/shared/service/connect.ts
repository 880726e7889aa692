/** Makes the connection of a configuration node: to a real host, or to an embedded service that is started for it. */
import { join } from 'node:path'
import Keyv from 'keyv'
import { type ClientOptions, createClient } from '../../../lib/client/client.ts'
import { createLookUps } from '../../../lib/client/lookup-cache.ts'
import { createOnce } from '../../../lib/client/once/create-once.ts'
import { paceClient } from '../../../lib/client/pace/pace-client.ts'
import { createPacer, type Pacer } from '../../../lib/client/pace/pacer.ts'
import type { Queue } from '../../../lib/client/pace/queue.ts'
import { createSandbox, type Sandbox } from '../../../lib/client/sandbox.ts'
import { serviceScope } from '../../../lib/client/service-scope.ts'
import type { Config } from '../runtime/node-red.ts'
import { RUN } from '../runtime/run.ts'
import type { Connection } from './connection.ts'
import { hostOptions, type ProxyConfig, type TlsConfig } from './host.ts'
import type { Journals } from './journals.ts'
import { speechOf } from './speech.ts'

export interface Settings {
  embedded: boolean
  /** The JSON of the host's profile; empty for our own service. */
  profile: string
  baseUrl: string
  timeoutMs: number
  /** How long after an unanswered create its task may still turn up in the list. */
  settleMs: number
  concurrency: number
  /** For how long the host may let no call through before those that wait fail. */
  patienceMs: number
  cacheMs: number
  port: number
  /** The folder of the embedded service. */
  data: string
  seed: boolean
  /** The organization in whose name the nodes act at the embedded service. */
  organization: string
  /** The address of a task's page in the console of a real host, with `{taskId}`; empty when it has none. */
  consoleUrl: string
}

export interface Transport {
  apiKey: string | undefined
  tls: TlsConfig | null
  proxy: ProxyConfig | null
}

/** What the parts of a configuration node have for its connection. */
export interface Surroundings {
  journals: Journals
  onQueue: (queue: Queue | null) => void
}

/** Calls nobody yet. Throws a NodeError when a setting is missing or wrong. */
export async function connectHost(
  settings: Settings,
  transport: Transport,
  surroundings: Surroundings,
): Promise<Connection> {
  const { baseUrl, timeoutMs } = settings
  const speech = speechOf(settings)
  const options = { ...hostOptions({ baseUrl, timeoutMs, ...transport }), profile: speech.profile }
  return assemble(options, settings, surroundings, {
    scope: serviceScope(baseUrl, options.apiKey),
    simulated: false,
    consoleUrl: /^https?:\/\//.test(settings.consoleUrl) ? settings.consoleUrl : null,
    settleMs: settings.settleMs,
    speech,
  })
}

/** The embedded service is never slow to list a task: one that is not there by now was never created. */
const EMBEDDED_SETTLE_MS = 3000

/** Starts the embedded service, which runs until `release` is called. */
export async function connectEmbedded(
  settings: Settings,
  surroundings: Surroundings,
): Promise<{ connection: Connection; release: () => Promise<void> }> {
  const { leaseService } = await import('../../embedded-service.ts')
  const speech = speechOf(settings)
  const { profile } = speech
  const { service, release } = await leaseService({ ...settings, profile })
  const { organization, timeoutMs } = settings
  const { baseUrl } = service
  const apiKey = await service.issueTemporaryKey(organization).catch(async (failure) => {
    await release()
    throw failure
  })
  const connection = await assemble({ baseUrl, apiKey, timeoutMs, proxy: false, profile }, settings, surroundings, {
    // The key changes with each start.
    scope: placeOf(settings),
    simulated: true,
    consoleUrl: `${baseUrl}/console#/tasks/{taskId}`,
    settleMs: EMBEDDED_SETTLE_MS,
    speech,
  })
  return { connection, release }
}

/**
 * Identifies the service that the settings name, regardless of the key: ids of tasks and subscriptions have a meaning there alone. A
 * host keeps its tasks when the key changes; an embedded service is known by its folder and the sender.
 */
export const placeOf = ({ embedded, baseUrl, data, organization }: Settings): string =>
  embedded ? serviceScope(data, organization) : serviceScope(baseUrl, '')

/** How often a create that certainly did not arrive is sent before the flow is told, which can send the message again. */
const CREATE_ATTEMPTS = 2

async function assemble(
  options: ClientOptions,
  { concurrency, patienceMs, timeoutMs, cacheMs }: Settings,
  { journals, onQueue }: Surroundings,
  {
    scope,
    settleMs,
    ...told
  }: Pick<Connection, 'simulated' | 'consoleUrl' | 'speech'> & { scope: string; settleMs: number },
): Promise<Connection> {
  const direct = createClient(options)
  const pacer = createPacer({ concurrency, patienceMs, onQueue })
  const client = paceClient(direct, pacer)
  const journal = await journals.open('creates')
  return {
    client,
    direct,
    create: createOnce({
      client: direct,
      pacer,
      journal,
      scope,
      timeoutMs,
      maxAttempts: CREATE_ATTEMPTS,
      settleMs,
      run: RUN,
    }),
    lookUps: createLookUps({ client, cache: new Keyv(), scope, ttlMs: cacheMs }),
    ...told,
    sandbox: pacedSandbox(createSandbox(options), pacer),
  }
}

/** A sandbox counts these calls like all others of the key. */
const pacedSandbox = ({ actAsSigner }: Sandbox, pacer: Pacer): Sandbox => ({
  actAsSigner: (taskId, act, signal) =>
    pacer.run(() => actAsSigner(taskId, act, signal), { operation: act.act, isRepeatable: false, signal }),
})

/** Settings may come from environment variables, which are text. `folder` is where the nodes keep their files. */
export function settingsOf(config: Config, folder: string): Settings {
  return {
    embedded: config.mode === 'embedded',
    profile: String(config.profile ?? ''),
    baseUrl: String(config.baseUrl ?? '').trim(),
    timeoutMs: numberOr(config.timeout, 30) * 1000,
    settleMs: numberOr(config.settle, 120) * 1000,
    concurrency: Math.max(1, Math.floor(numberOr(config.concurrency, 5))),
    patienceMs: numberOr(config.patience, 10) * 60_000,
    cacheMs: numberOr(config.cacheMinutes, 10) * 60_000,
    port: numberOr(config.port, 8090),
    data: String(config.data || join(folder, 'service')),
    seed: config.seed !== false,
    organization: String(config.organization || 'Willow Creek Home Health'),
    consoleUrl: String(config.consoleUrl ?? '').trim(),
  }
}

function numberOr(given: unknown, fallback: number): number {
  const number = given === '' || given === undefined || given === null ? Number.NaN : Number(given)
  return Number.isFinite(number) && number >= 0 ? number : fallback
}
