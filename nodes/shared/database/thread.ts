/**
 * The thread that talks to PostgreSQL for the queues of the nodes, whose callers wait for it (calls.ts). It keeps one connection, makes
 * a new one when that is lost, and passes on no text of the database: it could repeat what was stored.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type MessagePort, workerData } from 'node:worker_threads'
import type { Client } from 'pg'
import { grown } from '../../../lib/back-off.ts'
import { ANSWERED, type Answer, CONNECTED, type Question, type Result, type ThreadData } from './calls.ts'

const { options, limitMs, state, port } = workerData as ThreadData & { port: MessagePort }
const RECONNECT = { firstMs: 100, longestMs: 2_000 }

let client: Client | undefined
let isEnding = false

async function connect(): Promise<void> {
  const { default: pg } = await import('pg')
  for (let tries = 1; !isEnding && !client; tries += 1) {
    const made = new pg.Client({
      ...options,
      keepAlive: true,
      connectionTimeoutMillis: limitMs,
      statement_timeout: limitMs,
      query_timeout: limitMs,
    })
    const lost = () => {
      if (client !== made) return
      client = undefined
      Atomics.store(state, CONNECTED, 0)
      void connect()
    }
    made.on('error', lost)
    made.on('end', lost)
    try {
      await made.connect()
      client = made
      if (!isEnding) Atomics.store(state, CONNECTED, 1)
    } catch {
      await made.end().catch(() => {})
      await pause(grown(RECONNECT, tries))
    }
  }
}

async function answerTo({ statements }: Question): Promise<Pick<Answer, 'results' | 'code'>> {
  const used = client
  if (!used) return { code: 'AWAY' }
  try {
    if (statements.length > 1) await used.query('BEGIN')
    const results: Result[] = []
    for (const { sql, values } of statements) {
      const { rows, rowCount } = await used.query(sql, values as unknown[])
      results.push({ rows, count: rowCount ?? 0 })
    }
    if (statements.length > 1) await used.query('COMMIT')
    return { results }
  } catch (failure) {
    // A connection whose transaction cannot be ended is not used again.
    if (statements.length > 1) await used.query('ROLLBACK').catch(() => used.end().catch(() => {}))
    return { code: (failure as { code?: string }).code ?? 'AWAY' }
  }
}

/** One question after the other: a connection answers in this order. */
let last: Promise<unknown> = Promise.resolve()

port.on('message', (question: Question | 'lost' | 'end') => {
  if (question === 'lost') {
    // Its caller waits no longer. The database ends the statement by its own limit.
    void client?.end().catch(() => {})
    return
  }
  last = last.then(async () => {
    if (question === 'end') {
      isEnding = true
      await client?.end().catch(() => {})
      port.close()
      return
    }
    const answer = await answerTo(question)
    port.postMessage({ id: question.id, ...answer } satisfies Answer)
    Atomics.add(state, ANSWERED, 1)
    Atomics.notify(state, ANSWERED)
  })
})

void connect()
