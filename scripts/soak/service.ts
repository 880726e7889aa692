/** The built service as a process of its own, with what it needs of memory and what goes wrong inside it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface SoakedService {
  baseUrl: string
  pid: number
  metricsUrl: string
  /** The keys of two senders; none when the store was there already. */
  keys: readonly string[]
  isRunning(): boolean
  /** Returns the resident memory of the process with all its threads. */
  residentBytes(): number
  /** The most that `residentBytes` ever was, where the system keeps it; else what it is now. */
  peakBytes(): number
  /** Returns the errors that it logged, by subject, each with its number. */
  faults(): string[]
  /** Its exit code; null when a signal ended it. May be called again. */
  stop(): Promise<number | null>
}

/** The lines that the service prints once it listens. */
interface Started {
  baseUrl: string
  metricsUrl: string
  apiKeys: { key: string }[]
}

const MAIN = join(import.meta.dirname, '../../dist/server/main.js')
const UNIT_FILE = join(import.meta.dirname, '../../docs/deployment/countersign@.service')
/** Of pino. */
const ERROR_LEVEL = 50

/**
 * @param data as of `--data`
 * @param further arguments, and what is in the environment besides
 */
export async function startService(
  data: string,
  further: { args?: readonly string[]; environment?: NodeJS.ProcessEnv } = {},
): Promise<SoakedService> {
  if (!existsSync(MAIN)) throw new Error('There is no dist/server/main.js: npm run build')
  const args = [
    'serve',
    '--port',
    '0',
    '--data',
    data,
    '--sandbox',
    '--seed',
    'demo',
    '--allow-http-webhooks',
    '--metrics-port',
    '0',
    ...(further.args ?? []),
  ]
  const env = { ...environment(), ...further.environment }
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env })
  const gone = once(child, 'exit') as Promise<[number | null]>
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  const faults = new Map<string, number>()
  createInterface({ input: child.stderr }).on('line', (line) => {
    const fault = faultIn(line)
    if (fault) faults.set(fault, (faults.get(fault) ?? 0) + 1)
  })
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([once(lines, 'line') as Promise<[string]>, gone.then(() => null)])
  if (!first) throw new Error('The service ended before it listened.')
  const { baseUrl, metricsUrl, apiKeys } = JSON.parse(first[0]) as Started
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const memory = (name: 'VmRSS' | 'VmHWM') => memoryOf(child.pid!, name)
  return {
    baseUrl,
    pid: child.pid!,
    metricsUrl,
    keys: apiKeys.map(({ key }) => key),
    isRunning,
    residentBytes: () => memory('VmRSS'),
    peakBytes: () => memory('VmHWM'),
    faults: () => [...faults].map(([fault, times]) => `${times} × ${fault}`),
    async stop() {
      child.kill('SIGTERM')
      const [code] = await gone
      process.removeListener('exit', end)
      return code
    },
  }
}

/** Returns the environment as the unit file sets it. */
function environment(): NodeJS.ProcessEnv {
  const lines = readFileSync(UNIT_FILE, 'utf8').matchAll(/^Environment=(\w+)=(.*)$/gm)
  return { ...process.env, ...Object.fromEntries(Array.from(lines, ([, name, value]) => [name, value])) }
}

/** Returns the error in a line of the log; null when there is none. */
function faultIn(line: string): string | null {
  if (!line.startsWith('{')) return null
  const { level, msg, worker, route, code } = JSON.parse(line) as Record<string, unknown>
  return Number(level) >= ERROR_LEVEL ? [msg, worker, route, code].filter(Boolean).join(' ') : null
}

function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  if (process.platform !== 'linux')
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(status)?.[1]) * 1024
}
