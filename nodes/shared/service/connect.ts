/** Makes the connection of a configuration node: to a real host, or to an embedded service that is started for it. */
import Keyv from 'keyv'
import { type ClientOptions, createClient } from '../../../lib/client/client.ts'
import { createLookUps } from '../../../lib/client/lookup-cache.ts'
import type { Processes } from '../../../lib/client/once/claim.ts'
import { createOnce } from '../../../lib/client/once/create-once.ts'
import { paceClient } from '../../../lib/client/pace/pace-client.ts'
import { createPacer, type Pacer } from '../../../lib/client/pace/pacer.ts'
import type { Queue } from '../../../lib/client/pace/queue.ts'
import { createSandbox, type Sandbox } from '../../../lib/client/sandbox.ts'
import { serviceScope } from '../../../lib/client/service-scope.ts'
import { checkCertificates } from '../../../lib/pdf/seal/pem.ts'
import { addressHere, checkAddress } from '../address/embedded-address.ts'
import type { SharedDatabase } from '../database/shared-database.ts'
import { NodeError } from '../runtime/failures.ts'
import { RUN } from '../runtime/run.ts'
import type { Connection } from './connection.ts'
import { hostOptions, type ProxyConfig, type TlsConfig } from './host.ts'
import type { Journals } from './journals.ts'
import { placesIn, rememberPlace } from './places.ts'
import type { Settings } from './settings.ts'
import { speechOf } from './speech.ts'

export interface Transport {
  apiKey: string | undefined
  tls: TlsConfig | null
  proxy: ProxyConfig | null
}

/** The surroundings of a configuration node's connection. */
export interface Surroundings {
  journals: Journals
  /** The database that other processes keep the journal in, too; null for a folder. */
  shared: SharedDatabase | null
  onQueue: (queue: Queue | null) => void
}

/** Calls no one yet. Throws a NodeError when a setting is missing or wrong. */
export async function connectHost(
  settings: Settings,
  transport: Transport,
  surroundings: Surroundings,
): Promise<Connection> {
  const options = clientOptions(settings, transport)
  const speech = speechOf(settings)
  return assemble(options, settings, surroundings, {
    certificates: certificatesOf(settings),
    sender: serviceScope(settings.baseUrl, options.apiKey),
    simulated: false,
    consoleUrl: /^https?:\/\//.test(settings.consoleUrl) ? settings.consoleUrl : null,
    address: null,
    settleMs: settings.settleMs,
    speech,
  })
}

/** @throws the NodeError BAD_CERTIFICATES */
function certificatesOf({ sealCertificates }: Settings): string {
  try {
    checkCertificates(sealCertificates)
    return sealCertificates
  } catch {
    throw new NodeError(
      'BAD_CERTIFICATES',
      'Seal certificates (sealCertificates): not PEM. Paste the text with BEGIN CERTIFICATE and END CERTIFICATE lines.',
    )
  }
}

/** @throws a NodeError when a setting is missing or wrong */
export function clientOptions(settings: Settings, transport: Transport): ClientOptions {
  const { baseUrl, httpHosts, timeoutMs } = settings
  return { ...hostOptions({ baseUrl, httpHosts, timeoutMs, ...transport }), profile: speechOf(settings).profile }
}

/** The embedded service lists a task at once, and makes none when the caller has hung up: one that is not there by now never comes. */
const EMBEDDED_SETTLE_MS = 3000

/** Starts the embedded service, which runs until `release` is called. */
export async function connectEmbedded(
  settings: Settings,
  surroundings: Surroundings,
): Promise<{ connection: Connection; release: () => Promise<void> }> {
  checkAddress(settings)
  const { leaseService } = await import('../../embedded-service.ts')
  const speech = speechOf(settings)
  const { profile } = speech
  const { service, release } = await leaseService({ ...settings, profile })
  const { organization, timeoutMs } = settings
  const baseUrl = addressHere(service.baseUrl)
  const apiKey = await service.issueTemporaryKey(organization).catch(async (failure) => {
    await release()
    throw failure
  })
  const connection = await assemble({ baseUrl, apiKey, timeoutMs, proxy: false, profile }, settings, surroundings, {
    certificates: service.sealCertificates,
    // The key changes with each start.
    sender: placeOf(settings),
    simulated: true,
    consoleUrl: `${settings.publicUrl ? new URL(settings.publicUrl).origin : baseUrl}/console#/tasks/{taskId}`,
    address: baseUrl,
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

/** How often a create that certainly did not arrive is sent before it fails; the flow can then send the message again. */
const CREATE_ATTEMPTS = 2

interface Known extends Pick<Connection, 'simulated' | 'address' | 'certificates' | 'consoleUrl' | 'speech'> {
  /** Names the key. */
  sender: string
  settleMs: number
}

async function assemble(
  options: ClientOptions,
  settings: Settings,
  { journals, shared, onQueue }: Surroundings,
  { sender, settleMs, ...known }: Known,
): Promise<Connection> {
  const { concurrency, patienceMs, timeoutMs, cacheMs } = settings
  const scope = placeOf(settings)
  const direct = createClient(options)
  const pacer = createPacer({ concurrency, patienceMs, onQueue })
  const client = paceClient(direct, pacer)
  await rememberPlace(journals, scope, settings)
  const journal = await journals.open('creates')
  return {
    client,
    direct,
    create: createOnce({
      client: direct,
      pacer,
      journal,
      scope,
      sender,
      otherScopes: async () => [...(await placesIn(journals)).keys()].filter((place) => place !== scope),
      timeoutMs,
      maxAttempts: CREATE_ATTEMPTS,
      settleMs,
      ...(shared && journal.replaceOfEnded
        ? { clock: shared.clock, processes: withLease(shared, journal.replaceOfEnded) }
        : { run: RUN }),
    }),
    lookUps: createLookUps({ client, cache: new Keyv(), scope: sender, ttlMs: cacheMs }),
    ...known,
    sandbox: pacedSandbox(createSandbox(options), pacer),
  }
}

const withLease = (shared: SharedDatabase, replaceOfEnded: Processes['replaceOfEnded']): Processes => ({
  run: shared.run,
  get isLeased() {
    return shared.isLeased
  },
  replaceOfEnded,
})

/** A sandbox counts these calls like all others of the key. */
const pacedSandbox = ({ actAsSigner }: Sandbox, pacer: Pacer): Sandbox => ({
  actAsSigner: (taskId, act, signal) =>
    pacer.run(() => actAsSigner(taskId, act, signal), { operation: act.act, isRepeatable: false, signal }),
})
