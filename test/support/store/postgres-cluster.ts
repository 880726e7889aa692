/**
 * The files of an empty PostgreSQL cluster. initdb makes them once; later calls copy what it made, which takes a fraction of the
 * time.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

export interface ClusterOptions {
  /** The program of PostgreSQL. */
  initdb: string
  /** An empty folder for the cluster, of the user who runs it. */
  data: string
  password: string
  /** The user who runs it; ourselves when left out. */
  as: { uid?: number; gid?: number }
}

const cache = join(import.meta.dirname, '../../../node_modules/.cache/postgres')

export async function makeCluster(options: ClusterOptions): Promise<void> {
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
  const quiet: SpawnOptions = { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LC_ALL: 'C' } }
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
  let said = ''
  program.stderr!.setEncoding('utf8').on('data', (part: string) => {
    said += part
  })
  const [code] = await once(program, 'exit')
  if (code !== 0) throw new Error(`${program.spawnfile} ended with ${code}: ${said}`)
}
