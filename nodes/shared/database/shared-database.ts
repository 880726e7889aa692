/**
 * A PostgreSQL in which several Node-REDs keep the journals of the same nodes. Each process says at every beat that it lives; what
 * belongs to one that has not said so for the time of a lease is taken over by the others. All of it goes by the clock of the database.
 */
import type { ClientConfig, Pool, PoolClient } from 'pg'
import { type Clock, systemClock } from '../../../lib/clock.ts'
import { hasEnded, JOURNAL_SCHEMA } from '../../../lib/journal/postgres-store.ts'
import { RUN } from '../runtime/run.ts'
import { DatabaseError, openCalls, type Result, type Statement } from './calls.ts'
import { QUEUE_SCHEMA } from './schema.ts'

export interface SharedDatabase {
  /** Names this process. */
  readonly run: string
  /** The pool for journals. */
  readonly pool: Pool
  /** Resolves when the tables are there and this process is known to live; rejects when the database is away. */
  ready(): Promise<void>
  /** Runs statements in one transaction, and returns when it is written. Throws a DatabaseError. */
  call(...statements: Statement[]): Result[]
  /** The time of the database, in milliseconds since 1970. */
  readonly clock: Clock
  /** Whether this process has its lease: false when it could not say for the time of a lease that it lives. Others may then act for it. */
  readonly isLeased: boolean
  /** Whether the lease of a process was over at the last beat. */
  hasEnded(run: string): boolean
  /** Calls back after each beat. Returns a function that ends it. */
  onBeat(listener: () => void): () => void
  /** Asks for a turn that one process has at a time, and that the others get when it ends. */
  takeTurns(name: string): Turns
  /** Tells the other processes; what they do not receive, they find out by themselves later. It must not name a person. */
  tell(news: News): void
  /** Calls back with what other processes tell. Returns a function that ends it. */
  onNews(listener: (news: News) => void): () => void
  /** Keeps the database open for one more user. Returns a function that ends it. */
  retain(): () => void
  /** Ends it, whether it is still used or not. */
  close(): Promise<void>
}

export interface Turns {
  /** Whether it is the turn of this process, until a beat may have failed for the time of a lease. */
  readonly isOurs: boolean
  leave(): void
}

/** A part names the journal that the news is about. */
export interface News {
  part: string
  [value: string]: unknown
}

export interface DatabaseOptions {
  url: string
  /** Optional; as Node.js takes it for connections. */
  tls?: object | undefined
  leaseMs: number
  /** Milliseconds between two beats. Optional; a quarter of the lease by default. */
  beatMs?: number
  /** Optional; names this process. */
  run?: string
  /** Optional; the most milliseconds that a call may take. */
  limitMs?: number
}

export const DEFAULT_LEASE_MS = 20_000
const BEATS_PER_LEASE = 4
const CHANNEL = 'countersign_journal'
/** A database that does not answer is as good as none. */
const LIMITS_MS = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 }

/** The open databases of this process, by what they were opened with. */
const open = new Map<string, SharedDatabase>()

/** Returns the database of these options, which all of its users share. Each has to retain it. */
export function sharedDatabase(options: DatabaseOptions): SharedDatabase {
  const key = JSON.stringify(options)
  const known = open.get(key)
  if (known) return known
  const made = createDatabase(options, () => void open.delete(key))
  open.set(key, made)
  return made
}

function createDatabase(given: DatabaseOptions, onClosed: () => void): SharedDatabase {
  const { url, tls, leaseMs, beatMs = leaseMs / BEATS_PER_LEASE, run = RUN, limitMs } = given
  const options = connectionOptions(url, tls)
  const listeners = { beat: new Set<() => void>(), news: new Set<(news: News) => void>() }
  const turns = new Map<string, number>()
  let users = 0
  let isClosed = false
  let offsetMs = 0
  let leasedUntil = 0
  let ended: ReadonlySet<string> = new Set()
  let timer: NodeJS.Timeout | undefined
  let opened: Promise<Opened> | undefined
  let first: Promise<void> | undefined

  const start = (): Promise<Opened> => {
    opened ??= openPool(options).catch((failure) => {
      opened = undefined
      throw failure
    })
    return opened
  }
  let parts: { pool: Pool; calls: ReturnType<typeof openCalls> } | undefined
  const partsNow = () => {
    if (!parts) throw new DatabaseError('AWAY')
    return parts
  }

  async function beat(): Promise<void> {
    const { pool } = await start()
    if (isClosed) return
    if (!parts || parts.calls.hasEnded) parts = { pool, calls: openCalls(options, limitMs) }
    const sentAt = Date.now()
    const began = performance.now()
    const { rows } = await pool.query<{ now: string }>(BEAT, [run, leaseMs])
    // The database counts the lease from when it got the statement, which is later.
    leasedUntil = began + leaseMs
    offsetMs = Number(rows[0]!.now) - (sentAt + Date.now()) / 2
    const over = await pool.query<{ run: string }>('SELECT run FROM countersign_run WHERE until <= now()')
    ended = new Set(over.rows.map(({ run }) => run))
    for (const name of turns.keys()) {
      const { rowCount } = await pool.query(TAKE_TURN, [name, run])
      if (turns.has(name)) turns.set(name, rowCount === 1 ? began + leaseMs : 0)
    }
    for (const listener of listeners.beat) listener()
  }

  /** The first beat, or the one that is under way; a failure is not kept. */
  const ready = (): Promise<void> => {
    first ??= beat().catch((failure) => {
      first = undefined
      throw failure
    })
    return first
  }

  const next = () => {
    timer = setTimeout(() => {
      const beating = first ? beat() : ready()
      void beating.catch(() => {}).finally(() => isClosed || next())
    }, beatMs)
    timer.unref()
  }
  ready().catch(() => {})
  next()
  const listening = listen(
    start,
    () => isClosed,
    ({ run: from, ...news }) => {
      if (from === run) return
      for (const listener of listeners.news) listener(news as News)
    },
  )

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    onClosed()
    clearTimeout(timer)
    parts?.calls.close()
    listening.end()
    const ended = await opened?.catch(() => undefined)
    await ended?.pool.end().catch(() => {})
  }

  return {
    run,
    get pool() {
      return partsNow().pool
    },
    ready,
    call: (...statements) => partsNow().calls.call(statements),
    clock: { ...systemClock, now: () => Math.round(Date.now() + offsetMs) },
    get isLeased() {
      return performance.now() < leasedUntil
    },
    hasEnded: (run) => ended.has(run),
    onBeat: (listener) => addTo(listeners.beat, listener),
    takeTurns(name) {
      turns.set(name, 0)
      return {
        get isOurs() {
          return (turns.get(name) ?? 0) > performance.now()
        },
        leave() {
          turns.delete(name)
          void parts?.pool
            .query('DELETE FROM countersign_turn WHERE name = $1 AND run = $2', [name, run])
            .catch(() => {})
        },
      }
    },
    tell(news) {
      const text = JSON.stringify({ ...news, run })
      void parts?.pool.query('SELECT pg_notify($1, $2)', [CHANNEL, text]).catch(() => {})
    },
    onNews: (listener) => addTo(listeners.news, listener),
    retain() {
      users += 1
      let isRetained = true
      return () => {
        if (!isRetained) return
        isRetained = false
        users -= 1
        if (users === 0) void close()
      }
    },
    close,
  }
}

const BEAT = `
  WITH old AS (DELETE FROM countersign_run WHERE until < now() - interval '7 days')
  INSERT INTO countersign_run (run, until) VALUES ($1, now() + $2 * interval '1 millisecond')
  ON CONFLICT (run) DO UPDATE SET until = excluded.until
  RETURNING extract(epoch from clock_timestamp()) * 1000 AS now`

const TAKE_TURN = `
  INSERT INTO countersign_turn AS turn (name, run) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET run = excluded.run WHERE turn.run = excluded.run OR ${hasEnded('turn.run')}`

interface Opened {
  pool: Pool
}

async function openPool(options: ClientConfig): Promise<Opened> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ ...options, ...LIMITS_MS, max: 5 })
  // An idle connection that the server closes would end the process otherwise; the pool makes a new one by itself.
  pool.on('error', () => {})
  try {
    await pool.query(JOURNAL_SCHEMA)
    await pool.query(QUEUE_SCHEMA)
    return { pool }
  } catch (failure) {
    await pool.end().catch(() => {})
    throw failure
  }
}

const RECONNECT_MS = 1_000

/** Listens on a connection of its own, and connects again when that is lost. */
function listen(start: () => Promise<Opened>, isClosed: () => boolean, onNews: (news: News & { run: string }) => void) {
  let client: PoolClient | undefined
  let timer: NodeJS.Timeout | undefined
  const again = () => {
    client = undefined
    if (isClosed()) return
    timer = setTimeout(() => void connect().catch(again), RECONNECT_MS)
    timer.unref()
  }
  async function connect(): Promise<void> {
    const { pool } = await start()
    if (isClosed()) return
    const connected = await pool.connect()
    client = connected
    connected.on('error', (failure) => {
      if (client !== connected) return
      connected.release(failure)
      again()
    })
    connected.on('notification', ({ payload = '' }) => {
      const news = newsIn(payload)
      if (news) onNews(news)
    })
    await connected.query(`LISTEN ${CHANNEL}`)
  }
  void connect().catch(again)
  return {
    end() {
      clearTimeout(timer)
      const connected = client
      client = undefined
      connected?.release(true)
    },
  }
}

/** Returns what a process has told; undefined for anything else, which whoever may use the database can send. */
function newsIn(payload: string): (News & { run: string }) | undefined {
  try {
    const news = JSON.parse(payload) as (News & { run: string }) | null
    return typeof news?.part === 'string' ? news : undefined
  } catch {
    return undefined
  }
}

/** TLS is used to reach every other machine, unless the URL says otherwise by `sslmode`. */
function connectionOptions(url: string, tls: object | undefined): ClientConfig {
  const host = URL.parse(url)?.hostname ?? ''
  const isHere = ['', 'localhost', '127.0.0.1', '[::1]'].includes(host)
  const ssl = tls ?? (isHere ? undefined : true)
  return { connectionString: url, ...(ssl !== undefined && { ssl }) }
}

function addTo<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
