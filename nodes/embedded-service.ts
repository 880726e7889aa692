/**
 * Runs the service inside Node-RED's process, for demonstrations and tests of flows. No other file of the nodes imports the
 * server, and this one only when a service is started. Configuration nodes that name the same port share one service.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { HostProfile } from '../lib/profile/host-profile.ts'
import type { Service } from '../server/index.ts'
import { NodeError } from './shared/runtime/failures.ts'

export interface EmbeddedSettings {
  /** 0 takes a free port, which is not shared. */
  port: number
  /** The address to listen at. */
  bindHost: string
  /** The folder where the service keeps its tasks. */
  data: string
  /** Whether to add demo organizations, document types, templates and signers who act by themselves. */
  seed: boolean
  /** The host as which the service speaks. */
  profile: HostProfile
}

/** A started service. Its last user to call `release` stops it. */
export interface Lease {
  service: Service
  release(): Promise<void>
}

interface Running {
  settings: EmbeddedSettings
  started: Promise<Service>
  leases: number
}

const servers = new Map<number, Running>()

/** Starts a service, or joins the one that runs on the port. Throws a NodeError: PORT_IN_USE or SERVICE_NOT_STARTED. */
export async function leaseService(settings: EmbeddedSettings): Promise<Lease> {
  const { port } = settings
  const shared = port === 0 ? undefined : servers.get(port)
  if (shared && !isAlike(shared.settings, settings))
    throw new NodeError(
      'PORT_IN_USE',
      `Port (port): ${port} is in use by an embedded service with other settings. Choose another one.`,
    )
  const running = shared ?? { settings, started: start(settings), leases: 0 }
  if (port !== 0) servers.set(port, running)
  running.leases += 1

  const release = async () => {
    running.leases -= 1
    if (running.leases > 0) return
    if (servers.get(port) === running) servers.delete(port)
    await running.started.then((service) => service.stop()).catch(() => {})
  }
  try {
    return { service: await running.started, release }
  } catch (failure) {
    await release()
    throw startFailure(failure, settings)
  }
}

const isAlike = (one: EmbeddedSettings, other: EmbeddedSettings): boolean =>
  one.bindHost === other.bindHost &&
  one.data === other.data &&
  one.seed === other.seed &&
  isDeepStrictEqual(one.profile, other.profile)

/** After a redeploy, the port of the previous service may take a moment to become free. */
const BIND_ATTEMPTS = 5
const BIND_PAUSE_MS = 200

async function start({ port, bindHost, data, seed, profile }: EmbeddedSettings): Promise<Service> {
  const { createService } = await import('../server/index.ts')
  for (let attempt = 1; ; attempt += 1) {
    try {
      const service = await createService({
        port,
        host: bindHost,
        data,
        profile,
        sandbox: true,
        allowHttpWebhooks: true,
        ...(seed && { seed: 'demo' as const }),
      })
      await service.start()
      return service
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== 'EADDRINUSE' || attempt === BIND_ATTEMPTS) throw failure
      await sleep(BIND_PAUSE_MS)
    }
  }
}

function startFailure(failure: unknown, { port, bindHost }: EmbeddedSettings): NodeError {
  if (failure instanceof NodeError) return failure
  const { code, message } = failure as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return new NodeError('PORT_IN_USE', `Port (port): ${port} is in use. Choose another one, or 0 for a free one.`)
  if (code === 'EADDRNOTAVAIL')
    return new NodeError(
      'BAD_BIND_ADDRESS',
      `Bind address (bindHost): ${bindHost} is no address of this machine. Enter one, or 0.0.0.0 for all of them.`,
    )
  return new NodeError('SERVICE_NOT_STARTED', `The embedded service did not start: ${message}`)
}
