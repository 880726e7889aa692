/**
 * A journal in Redis, which several processes may share. It never waits for a server that does not answer. Whether a written
 * value outlives the end of the server is a setting of the server.
 */
import type { createClient } from '@redis/client'
import { type BackOff, grown } from '../back-off.ts'
import type { JournalStore } from './journal-store.ts'
import { keyAt, placeOf } from './namespace.ts'

type Connection = ReturnType<typeof createClient>

/** A server that does not answer is as good as none: callers that wait for the journal must learn of it. */
const LIMIT_MS = 5_000
const RECONNECT: BackOff = { firstMs: 100, longestMs: 2_000 }
const PAGE = '500'

const REPLACE = `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], unpack(ARGV, 3))
  return 1`

export class RedisStore implements JournalStore {
  readonly #connection: Connection
  readonly #namespace: string

  private constructor(connection: Connection, namespace: string) {
    this.#connection = connection
    this.#namespace = namespace
  }

  /** Rejects when there is no server. A connection that is lost later is made again; calls in the meantime fail at once. */
  static async open(connect: typeof createClient, url: string, namespace: string): Promise<RedisStore> {
    let isOpen = false
    const reconnectStrategy = (tries: number) => (isOpen ? grown(RECONNECT, tries + 1) : false)
    const connection: Connection = connect({
      url,
      disableOfflineQueue: true,
      socket: { reconnectStrategy, connectTimeout: LIMIT_MS },
    })
    // The calls themselves report what fails; without a listener a lost connection would end the process.
    connection.on('error', () => {})
    await inTime(connection.connect()).catch((failure: unknown) => {
      end(connection)
      throw failure
    })
    isOpen = true
    return new RedisStore(connection, namespace)
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.#send<string | null>('GET', this.#place(key))) ?? undefined
  }

  async set(key: string, text: string, ttlMs?: number): Promise<void> {
    await this.#send('SET', this.#place(key), text, ...life(ttlMs))
  }

  async add(key: string, text: string, ttlMs?: number): Promise<boolean> {
    return (await this.#send('SET', this.#place(key), text, 'NX', ...life(ttlMs))) !== null
  }

  async replace(key: string, expected: string, text: string, ttlMs?: number): Promise<boolean> {
    return (await this.#send('EVAL', REPLACE, '1', this.#place(key), expected, text, ...life(ttlMs))) === 1
  }

  async delete(keys: readonly string[]): Promise<void> {
    await this.#send('UNLINK', ...keys.map((key) => this.#place(key)))
  }

  async *entries(): AsyncGenerator<[key: string, text: string], void> {
    const pattern = `${this.#place('').replace(/[\\*?[\]]/g, '\\$&')}*`
    // Redis may name a key more than once while it makes room.
    const seen = new Set<string>()
    let cursor = '0'
    do {
      const [next, found] = await this.#send<[string, string[]]>('SCAN', cursor, 'MATCH', pattern, 'COUNT', PAGE)
      const places = found.filter((place) => !seen.has(place))
      for (const place of places) seen.add(place)
      const texts = places.length > 0 ? await this.#send<(string | null)[]>('MGET', ...places) : []
      for (const [at, text] of texts.entries()) if (text !== null) yield [this.#keyAt(places[at]!), text]
      cursor = next
    } while (cursor !== '0')
  }

  async close(): Promise<void> {
    end(this.#connection)
  }

  #place(key: string): string {
    return placeOf(this.#namespace, key)
  }

  #keyAt(place: string): string {
    return keyAt(this.#namespace, place)
  }

  #send<Answer>(...command: string[]): Promise<Answer> {
    return inTime(this.#connection.sendCommand(command) as Promise<Answer>)
  }
}

const life = (ttlMs: number | undefined): string[] => (ttlMs === undefined ? [] : ['PX', String(Math.ceil(ttlMs))])

/** Ends at once: nothing is under way that a caller waits for, and a server that hangs would delay a polite end. */
function end(connection: Connection): void {
  if (connection.isOpen) connection.destroy()
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${LIMIT_MS} ms.`)), LIMIT_MS)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
