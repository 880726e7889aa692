/**
 * Keyv's adapter for Redis, able to decide: it writes where nothing is, or where the expected value still stands, in one step
 * against all processes that share the server. It never waits for a server that does not answer. Whether a written value
 * outlives the end of the server is a setting of the server.
 */
import type { KeyvStoreAdapter } from 'keyv'
import type { DecidingStore } from './journal.ts'

/** Of the optional package `@keyv/redis`, what is used here. */
interface RedisAdapter extends KeyvStoreAdapter {
  getClient(): Promise<{ sendCommand(args: string[]): Promise<unknown> }>
  createKeyPrefix(key: string, namespace?: string): string
  disconnect(force?: boolean): Promise<void>
}
export type RedisClass = new (connection: object, options: object) => RedisAdapter

/** A server that does not answer is as good as none: whoever waits for the journal must learn of it. */
const LIMIT_MS = 5_000
const CALLS = ['get', 'getMany', 'set', 'setMany', 'has', 'hasMany', 'delete', 'deleteMany', 'clear'] as const

const REPLACE = `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  if ARGV[3] == '' then redis.call('SET', KEYS[1], ARGV[2]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
  return 1`

/** Rejects when there is no server. A connection that is lost later is made anew; calls meanwhile fail at once. */
export async function openRedis(Redis: RedisClass, url: string): Promise<KeyvStoreAdapter & DecidingStore> {
  let isOpen = false
  const reconnectStrategy = (tries: number) => (isOpen ? Math.min(100 * 2 ** tries, 2_000) : false)
  const connection = { url, disableOfflineQueue: true, socket: { reconnectStrategy, connectTimeout: LIMIT_MS } }
  const adapter = new Redis(connection, { throwOnErrors: true, throwOnConnectError: true })
  // The calls themselves report what fails.
  adapter.on('error', () => {})
  await inTime(adapter.getClient()).catch(async (failure: unknown) => {
    await adapter.disconnect(true)
    throw failure
  })
  isOpen = true
  return deciding(adapter)
}

function deciding(adapter: RedisAdapter): KeyvStoreAdapter & DecidingStore {
  const send = async (...args: string[]) => (await adapter.getClient()).sendCommand(args)
  const place = (key: string) => adapter.createKeyPrefix(key, adapter.namespace)
  const life = (ttl: number) => String(Math.ceil(ttl))
  const calls = CALLS.flatMap((name) => {
    const call = adapter[name] as ((...args: unknown[]) => Promise<unknown>) | undefined
    return call ? [[name, (...args: unknown[]) => inTime(call.apply(adapter, args))] as const] : []
  })
  const end = adapter.disconnect.bind(adapter)
  return Object.assign(adapter, Object.fromEntries(calls), {
    // By force, because nothing is under way that somebody waits for, and a server that hangs would hold up the end too.
    disconnect: () => end(true),
    async add(key: string, value: string, ttl?: number): Promise<boolean> {
      const expiry = ttl === undefined ? [] : ['PX', life(ttl)]
      return (await inTime(send('SET', place(key), value, 'NX', ...expiry))) !== null
    },
    async replace(key: string, expected: string, value: string, ttl?: number): Promise<boolean> {
      const expiry = ttl === undefined ? '' : life(ttl)
      return (await inTime(send('EVAL', REPLACE, '1', place(key), expected, value, expiry))) === 1
    },
  })
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${LIMIT_MS} ms.`)), LIMIT_MS)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
