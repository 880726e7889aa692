/** How long the built service takes to its first answer, and its memory at rest; beside a bare Express with one route. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../support/network/free-port.ts'
import { type Row, RUNS } from './row.ts'

const MAIN = join(import.meta.dirname, '../../../bin/countersign.cjs')
const BARE = join(import.meta.dirname, 'bare-express.ts')
const REST_MS = 5_000

interface Started {
  ms: number
  megabytes: number
}

/** @param folder where the service keeps its store, which its first start makes */
export async function startRows(folder: string): Promise<Row[]> {
  const ours: Started[] = []
  const bare: Started[] = []
  const service = async () => startOnce(['serve', '--sandbox', '--data', folder], MAIN)
  await service()
  for (let run = 0; run < RUNS; run++) {
    ours.push(await service())
    bare.push(await startOnce([], BARE))
  }
  const row = (work: string, unit: Row['unit'], of: (started: Started) => number): Row => ({
    work,
    unit,
    ours: ours.map(of),
    floor: { what: 'bare Express', values: bare.map(of) },
  })
  return [
    row('From the start to the first 200', 'ms', ({ ms }) => ms),
    row('Memory at rest', 'MB', ({ megabytes }) => megabytes),
  ]
}

async function startOnce(args: readonly string[], script: string): Promise<Started> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, [script, ...args, '--port', String(port)], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  try {
    await answers(`http://127.0.0.1:${port}/ready`, child)
    const ms = performance.now() - began
    await pause(REST_MS)
    return { ms, megabytes: residentMegabytes(child.pid!) }
  } finally {
    child.kill('SIGTERM')
    await gone
  }
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(url).catch(() => null)
    await response?.arrayBuffer()
    if (response?.ok) return
    await pause(2)
  }
  throw new Error('The process ended before it answered.')
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000
