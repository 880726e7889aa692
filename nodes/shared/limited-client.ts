/** A client whose calls take turns, so that a burst of messages never becomes a burst of connections. */
import type { Client } from '../../lib/client/client.ts'
import type { Limit } from './limit.ts'

type AnyCall = (...call: unknown[]) => Promise<unknown>

export function limitedClient(client: Client, limit: Limit): Client {
  const limited = Object.entries(client).map(([name, call]) => [
    name,
    (...given: unknown[]) => limit.run(() => (call as AnyCall)(...given)),
  ])
  return Object.fromEntries(limited) as Client
}
