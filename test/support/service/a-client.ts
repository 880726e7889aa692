/** The client library as the tests use it: what its calls fail with is overheard. */
import { type Client, type ClientOptions, createClient } from '../../../lib/client/client.ts'
import { overheardFailure } from '../overheard.ts'

export function aClient(options: ClientOptions): Client {
  const client = createClient({ proxy: false, ...options })
  const calls = Object.entries(client) as [string, (...args: unknown[]) => Promise<unknown>][]
  return Object.fromEntries(
    calls.map(([name, call]) => [name, (...args: unknown[]) => overheardFailure(call(...args))]),
  ) as unknown as Client
}
