/** The command `countersign` as a process of its own, run from the sources: to its end, or until it serves. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const main = join(import.meta.dirname, '../../server/main.ts')

export interface Environment {
  COUNTERSIGN_MASTER_KEY?: string
}

function start(args: readonly string[], env: Environment): ChildProcess {
  const { COUNTERSIGN_MASTER_KEY: _outer, ...rest } = process.env
  return spawn(process.execPath, [main, ...args], { env: { ...rest, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs to the end. A command that does not end by itself is ended after 15 seconds, with the code null. `input` is its standard input. */
export async function countersign(args: readonly string[], env: Environment = {}, input = ''): Promise<Ended> {
  const child = start(args, env)
  child.stdin?.end(input)
  const read = (stream: NodeJS.ReadableStream | null) => {
    const chunks: Buffer[] = []
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
    return () => Buffer.concat(chunks).toString()
  }
  const [stdout, stderr] = [read(child.stdout), read(child.stderr)]
  const limit = setTimeout(() => child.kill('SIGKILL'), 15_000)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(limit)
  return { code, stdout: stdout(), stderr: stderr() }
}

export interface Serving {
  baseUrl: string
  mode: 'sandbox' | 'production'
  apiKeys: { organization: string; key: string }[]
  /** Ends the process at once, as a power cut would. */
  kill(): Promise<void>
  /** Asks it to finish; resolves with its exit code. */
  stop(): Promise<number | null>
}

/** `countersign serve` on a free port; resolves when it has printed its line. */
export async function serving(args: readonly string[], env: Environment = {}): Promise<Serving> {
  const child = start(['serve', '--port', '0', ...args], env)
  const errors: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  const closed = once(child, 'close') as Promise<[number | null]>
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout! }), 'line'),
    closed.then(([code]) => Promise.reject(new Error(`serve ended with ${code}: ${errors.join('')}`))),
  ])) as [string]
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return (await closed)[0]
  }
  return {
    ...(JSON.parse(line) as Pick<Serving, 'baseUrl' | 'mode' | 'apiKeys'>),
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}
