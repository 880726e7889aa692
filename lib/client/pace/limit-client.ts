/** A client whose calls take turns, so that a burst of messages never becomes a burst of connections. */
import pLimit from 'p-limit'
import type { Client } from '../client.ts'

type AnyCall = (...call: unknown[]) => Promise<unknown>

/** Returns a client that has at most `concurrency` calls under way; further calls wait, in the order they were made. */
export function limitClient(client: Client, concurrency: number): Client {
  const inTurn = pLimit(concurrency)
  const limited = Object.entries(client).map(([name, call]) => [
    name,
    (...given: unknown[]) => inTurn(() => (call as AnyCall)(...given)),
  ])
  return Object.fromEntries(limited) as Client
}
