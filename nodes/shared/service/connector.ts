/** Connects a configuration node to its service on first use, and releases an embedded service at the end. */

import { knownFailure, NodeError } from '../runtime/failures.ts'
import type { Config, Runtime } from '../runtime/node-red.ts'
import { onceItWorks } from '../runtime/once-it-works.ts'
import { connectEmbedded, connectHost, type Surroundings, type Transport } from './connect.ts'
import type { Connection } from './connection.ts'
import type { ProxyConfig, TlsConfig } from './host.ts'
import type { Settings } from './settings.ts'

export interface ConnectorOptions {
  runtime: Runtime
  config: Config
  settings: Settings
  apiKey: string | undefined
  surroundings: Surroundings
}

export interface Connector {
  /** A failure is not kept: the next call tries again. */
  connect(): Promise<Connection>
  /** Resolves when no connection is being made any more and an embedded service is released. */
  release(): Promise<void>
}

export function createConnector({ runtime, config, settings, apiKey, surroundings }: ConnectorOptions): Connector {
  let releaseEmbedded = async () => {}

  const connection = onceItWorks(async () => {
    try {
      if (settings.embedded) {
        const embedded = await connectEmbedded(settings, surroundings)
        releaseEmbedded = embedded.release
        return embedded.connection
      }
      return await connectHost(settings, transportOf(runtime, config, apiKey), surroundings)
    } catch (failure) {
      throw knownFailure(failure)
    }
  })

  return {
    connect: connection.get,
    async release() {
      await connection.current?.catch(() => {})
      await releaseEmbedded()
    },
  }
}

/** @throws a NodeError: NO_TLS or NO_PROXY */
export const transportOf = (runtime: Runtime, config: Config, apiKey: string | undefined): Transport => ({
  apiKey,
  tls: chosen<TlsConfig>(runtime, config.tls, 'NO_TLS', 'TLS (tls): the chosen TLS configuration'),
  proxy: chosen<ProxyConfig>(runtime, config.proxy, 'NO_PROXY', 'Proxy (proxy): the chosen proxy'),
})

/** Throws when the chosen node is missing: without its settings, calls would go another way than someone meant them to. */
export function chosen<T>(runtime: Runtime, id: unknown, code: string, what: string): T | null {
  const node = runtime.nodes.getNode(id) as T | null
  if (!id || node) return node
  throw new NodeError(
    code,
    `${what} is disabled, was deleted or is not deployed yet. Enable or deploy it, or choose another one.`,
  )
}
