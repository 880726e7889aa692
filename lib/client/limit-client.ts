/** A client whose calls take turns, so that a burst of messages never becomes a burst of connections. */
import pLimit from 'p-limit'
import type { Client } from './client.ts'

type AnyCall = (...call: unknown[]) => Promise<unknown>

/** Lets `concurrency` calls be under way at once, whatever they ask; the others wait in the order they came. */
export function limitClient(client: Client, concurrency: number): Client {
  const inTurn = pLimit(concurrency)
  const limited = Object.entries(client).map(([name, call]) => [
    name,
    (...given: unknown[]) => inTurn(() => (call as AnyCall)(...given)),
  ])
  return Object.fromEntries(limited) as Client
}
