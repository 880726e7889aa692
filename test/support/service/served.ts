/** The service as a process of its own, as an operator starts it, so that a test can kill it. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DELIVERY_LEASE_MS, INGEST_LEASE_MS } from '../../../server/choices.ts'
import { ensureBuilt, root } from '../built.ts'
import { patience } from '../patience.ts'
import { started } from '../processes.ts'

ensureBuilt()

/** The command as it is installed: built. */
export const MAIN = join(root, 'dist/server/main.js')

export interface Served {
  baseUrl: string
  mode: 'sandbox' | 'production'
  apiKeys: { organization: string; key: string }[]
  pid: number
  /** What it has written to stderr so far. */
  log: () => string
  /** The lines that it has printed so far. */
  lines: () => readonly string[]
  /** Its exit code when it has ended, however that came; null when a signal ended it. */
  ended: Promise<number | null>
  /** Ends it at once, in the middle of its work, and waits until it is gone. */
  kill(): Promise<void>
  /** Asks it to stop, and gives its exit code. */
  stop(): Promise<number | null>
}

export interface Spoken {
  code: number | null
  stdout: string
  stderr: string
}

type Environment = Record<string, string>

/** Puts the sandbox's clock forward until every lease of a dead process has ended; resolves once what waited for that is done. */
export async function leasesEnd({ baseUrl }: Served, key: string): Promise<void> {
  const seconds = Math.max(INGEST_LEASE_MS, DELIVERY_LEASE_MS) / 1000
  const { status } = await fetch(`${baseUrl}/sandbox/v1/clock`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds: seconds + 1 }),
  })
  if (status !== 202) throw new Error(`The clock answered ${status}`)
}

/**
 * Resolves when it listens; rejects with what it wrote when it ends before that.
 * @param main the program; `MAIN` when left out
 */
export const serve = (args: readonly string[], environment: Environment = {}, main: string = MAIN): Promise<Served> =>
  listening(['serve', '--port', '0', ...args], environment, main)

/** The same for any command that prints where it listens. */
export async function listening(
  args: readonly string[],
  environment: Environment = {},
  main: string = MAIN,
): Promise<Served> {
  const child = countersigning(args, environment, main)
  const written: string[] = []
  child.stderr!.on('data', (chunk: Buffer) => written.push(chunk.toString()))
  const printed: string[] = []
  const lines = createInterface({ input: child.stdout! }).on('line', (line) => printed.push(line))
  const gone = once(child, 'exit') as Promise<[number | null]>
  const line = await Promise.race([once(lines, 'line') as Promise<[string]>, gone.then(() => null)])
  if (line === null) throw new Error(`The service ended before it listened: ${written.join('')}`)
  const { baseUrl, mode, apiKeys } = JSON.parse(line[0]) as Pick<Served, 'baseUrl' | 'mode' | 'apiKeys'>
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return (await gone)[0]
  }
  return {
    baseUrl,
    mode,
    apiKeys,
    pid: child.pid!,
    log: () => written.join(''),
    lines: () => printed,
    ended: gone.then(([code]) => code),
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}

/** Runs a command to its end, with `input` on its standard input. One that does not end by itself is killed; its code is null. */
export async function countersign(args: readonly string[], environment: Environment = {}, input = ''): Promise<Spoken> {
  const child = countersigning(args, environment)
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.on('data', (chunk: Buffer) => {
      text[name] += chunk.toString()
    })
  child.stdin!.end(input)
  const limit = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(limit)
  return { code, ...text }
}

const LONGEST_MS = patience(30_000)

function countersigning(args: readonly string[], environment: Environment, main = MAIN): ChildProcess {
  return started([main, ...args], { env: environmentWith(environment), showsKeys: showsKeys(args) })
}

/** What the tests have in their environment, except the master key of whoever runs them. */
export function environmentWith(environment: Environment): NodeJS.ProcessEnv {
  const { COUNTERSIGN_MASTER_KEY: _, ...env } = process.env
  return { ...env, ...environment }
}

/** `serve` shows the keys that seeding made, `keys create` and `operator-keys create` the one that they made. */
export const showsKeys = ([name = '', verb]: readonly string[]): boolean =>
  ['serve', 'keys', 'operator-keys'].includes(name) || (name === 'sandbox' && verb === 'seed')
