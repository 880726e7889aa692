/**
 * Opens a journal: the small memory of the client side that outlives the process, as a Keyv store. It holds ids, hashes and
 * states, never what a patient's document says.
 */
import Keyv, { type KeyvStoreAdapter } from 'keyv'
import type { Journal } from './journal.ts'
import type { RedisClass } from './redis-store.ts'

/**
 * `location` is `:memory:`, the path of a file, or a `redis:`, `rediss:`, `postgres:` or `postgresql:` URL. Namespaces keep
 * the journals of one location apart. A file serves several namespaces and, with care, several processes.
 * Close it with `journal.disconnect()`.
 */
export async function openJournal(location: string, namespace: string): Promise<Journal> {
  const journal = new Keyv({ store: await openStore(location), namespace, throwOnErrors: true, emitErrors: true })
  // Without a listener some stores end the process when a connection breaks; the calls themselves report the failure.
  journal.on('error', () => {})
  return journal
}

/** A database that does not answer is as good as none: whoever waits for the journal must learn of it. */
const POSTGRES_LIMITS_MS = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 }

/** Each store is loaded when it is asked for: who keeps no journal loads no database. */
async function openStore(location: string): Promise<KeyvStoreAdapter> {
  const scheme = /^([a-z]+):\/\//i.exec(location)?.[1]?.toLowerCase()
  switch (scheme) {
    case undefined: {
      const { SqliteStore } = await import('./sqlite-store.ts')
      return new SqliteStore(location)
    }
    case 'redis':
    case 'rediss': {
      const { openRedis } = await import('./redis-store.ts')
      return openRedis(await optional<RedisClass>('@keyv/redis'), location)
    }
    case 'postgres':
    case 'postgresql': {
      const { PostgresStore } = await import('./postgres-store.ts')
      const { Pool } = await optional<typeof import('pg')>('pg')
      return PostgresStore.open(new Pool({ connectionString: location, max: 4, ...POSTGRES_LIMITS_MS }))
    }
    default:
      throw new TypeError(
        `A journal cannot live at "${scheme}://": give a file path, :memory:, or a redis, rediss or postgres URL.`,
      )
  }
}

async function optional<T>(name: '@keyv/redis' | 'pg'): Promise<T> {
  try {
    const { default: Store } = (await import(name)) as { default: T }
    return Store
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw failure
    throw new Error(`This journal needs the package ${name}: install it beside this one with "npm install ${name}".`)
  }
}
