/**
 * How many changes a second the audit log lets through, of any number of processes: each holds the lock of the log from its last
 * step to the end of its commit. Here clients do nothing but that: lock, read the newest row, insert one, commit.
 */
import pg from 'pg'
import { CHAIN_LOCK } from '../../../server/store/audit/audit-log.ts'

const CLIENTS = 8
const FOR_MS = 1_500

/** @param data URL of an empty database */
export async function chainCommitsPerSecond(data: string): Promise<number> {
  const clients = Array.from({ length: CLIENTS }, () => new pg.Client({ connectionString: data }))
  await Promise.all(clients.map((client) => client.connect()))
  await clients[0]!.query('CREATE TABLE chain (sequence integer PRIMARY KEY, hash text NOT NULL)')
  await clients[0]!.query('INSERT INTO chain VALUES (0, $1)', [HASH])
  const began = performance.now()
  let commits = 0
  const change = async (client: pg.Client) => {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [CHAIN_LOCK])
    const { rows } = await client.query('SELECT sequence, hash FROM chain ORDER BY sequence DESC LIMIT 1')
    await client.query('INSERT INTO chain VALUES ($1, $2)', [rows[0].sequence + 1, HASH])
    await client.query('COMMIT')
    commits++
  }
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - began < FOR_MS) await change(client)
    }),
  )
  const rate = commits / ((performance.now() - began) / 1000)
  await Promise.all(clients.map((client) => client.end()))
  return rate
}

const HASH = '0'.repeat(64)
