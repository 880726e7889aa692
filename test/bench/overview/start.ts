/** How long the built service takes to its first answer, and its memory at rest; beside a bare Express with one route. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Row, RUNS } from './row.ts'
import { BARE, MAIN, startProcess } from './start-process.ts'

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
  const began = performance.now()
  const { pid, stop } = await startProcess(args, script)
  try {
    const ms = performance.now() - began
    await pause(REST_MS)
    return { ms, megabytes: residentMegabytes(pid) }
  } finally {
    await stop()
  }
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000
