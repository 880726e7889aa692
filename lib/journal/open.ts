/** Opens a journal. It holds ids, hashes and states, never what a patient's document says. */
import { createJournal, type Journal } from './journal.ts'
import type { JournalStore } from './journal-store.ts'

/**
 * Opens the journal of a namespace; namespaces keep the journals of one location apart. Several processes may share a location
 * other than memory. Rejects when the location cannot be opened, or the package for it is missing.
 * @param location `:memory:`, the path of a file, or a `redis:`, `rediss:`, `postgres:` or `postgresql:` URL
 */
export async function openJournal(location: string, namespace: string): Promise<Journal> {
  return createJournal(await openStore(location, namespace))
}

/** A database that does not answer is as good as none: callers that wait for the journal must learn of it. */
const POSTGRES_LIMITS_MS = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 }

/** Each store is loaded when it is asked for, so that no database is loaded without success. */
async function openStore(location: string, namespace: string): Promise<JournalStore> {
  const scheme = /^([a-z]+):\/\//i.exec(location)?.[1]?.toLowerCase()
  switch (scheme) {
    case undefined: {
      const { SqliteStore } = await import('./sqlite-store.ts')
      return new SqliteStore(location, namespace)
    }
    case 'redis':
    case 'rediss': {
      const { RedisStore } = await import('./redis-store.ts')
      const { createClient } = await optional<typeof import('@redis/client')>('@redis/client')
      return RedisStore.open(createClient, location, namespace)
    }
    case 'postgres':
    case 'postgresql': {
      const { PostgresStore } = await import('./postgres-store.ts')
      const { Pool } = await optional<typeof import('pg')>('pg')
      return PostgresStore.open(new Pool({ connectionString: location, max: 4, ...POSTGRES_LIMITS_MS }), namespace)
    }
    default:
      throw new TypeError(
        `A journal cannot live at "${scheme}://": give a file path, :memory:, or a redis, rediss or postgres URL.`,
      )
  }
}

async function optional<T>(name: '@redis/client' | 'pg'): Promise<T> {
  try {
    const { default: module } = (await import(name)) as { default: T }
    return module
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw failure
    throw new Error(`This journal needs the package ${name}: install it next to this one with "npm install ${name}".`)
  }
}
