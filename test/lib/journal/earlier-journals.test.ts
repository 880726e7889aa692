/** Journals that version 0.1.0 wrote, by way of Keyv: the texts are its own, byte for byte. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import pg from 'pg'
import type { Journal } from '../../../lib/journal/journal.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { installed } from '../../support/seen/external-checks.ts'
import { aRedis } from '../../support/store/a-redis.ts'
import { aPostgres } from '../../support/store/postgres/a-postgres.ts'

const EXPIRES = 4_102_444_800_000
const ROWS = [
  ['events:event:6f1c', `{"value":{"state":"done","note":"::x"},"expires":${EXPIRES}}`, EXPIRES],
  ['events:plain', '{"value":{"id":7,"url":"https://a","secrets":["s"]}}', null],
  ['events:task:1001', '{"value":{"status":"Pending","occurredAtUtc":"2026-01-15T09:31:00.000Z"}}', EXPIRES],
  ['other:task:1001', '{"value":1}', null],
] as const

async function readsAll(journal: Journal): Promise<void> {
  const entries: Record<string, unknown> = {}
  for await (const [key, value] of journal.entries()) entries[key] = value
  expect(entries).to.deep.equal({
    'event:6f1c': { state: 'done', note: ':x' },
    plain: { id: 7, url: 'https://a', secrets: ['s'] },
    'task:1001': { status: 'Pending', occurredAtUtc: '2026-01-15T09:31:00.000Z' },
  })
  expect(await journal.get('plain')).to.deep.equal({ id: 7, url: 'https://a', secrets: ['s'] })
  const before = await journal.change<{ status: string }>('task:1001', (known) => ({ ...known!, status: 'Completed' }))
  expect(before?.status).to.equal('Pending')
  expect((await journal.get<{ status: string }>('task:1001'))?.status).to.equal('Completed')
}

describe('a journal that version 0.1.0 wrote', () => {
  /** Undone in the opposite order. */
  const ends: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  it('is read from its SQLite file, and what is written there that version can read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'earlier-'))
    ends.push(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'journal.sqlite')
    const database = new DatabaseSync(file)
    ends.push(() => database.close())
    database.exec(`
      CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires INTEGER) STRICT, WITHOUT ROWID;
      CREATE INDEX entries_expires ON entries (expires) WHERE expires IS NOT NULL`)
    for (const row of ROWS) database.prepare('INSERT INTO entries VALUES (?, ?, ?)').run(...row)
    const journal = await openJournal(file, 'events')
    ends.push(journal.close)
    await readsAll(journal)
    await journal.set('new', { text: ':x' })
    expect(database.prepare("SELECT key, value FROM entries WHERE key = 'events:new'").get()).to.include({
      key: 'events:new',
      value: '{"value":{"text":"::x"}}',
    })
  })

  it('is read from its PostgreSQL table', async function () {
    this.timeout(60_000)
    const { url, stop } = await aPostgres()
    ends.push(stop)
    const pool = new pg.Pool({ connectionString: url })
    await pool.query(
      'CREATE TABLE countersign_journal (key text COLLATE "C" PRIMARY KEY, value text NOT NULL, expires bigint)',
    )
    for (const row of ROWS) await pool.query('INSERT INTO countersign_journal VALUES ($1, $2, $3)', [...row])
    await pool.end()
    const journal = await openJournal(url, 'events')
    ends.push(journal.close)
    await readsAll(journal)
  })

  if (installed.redis)
    it('is read from its Redis', async () => {
      const redis = await aRedis()
      ends.push(redis.stop)
      const { createClient } = await import('@redis/client')
      const client = createClient({ url: redis.url })
      await client.connect()
      for (const [key, text] of ROWS) await client.sendCommand(['SET', `${key.split(':')[0]}::${key}`, text])
      client.destroy()
      const journal = await openJournal(redis.url, 'events')
      ends.push(journal.close)
      await readsAll(journal)
    })
})
