/** What the built service needs of a processor while nobody asks it anything, beside a bare Express with one route. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Row, RUNS } from './row.ts'
import { BARE, MAIN, startProcess } from './start-process.ts'

/** Until V8 has looked for garbage once more. */
const SETTLED_MS = 15_000
const WATCHED_MS = 12_000
const MINUTE_MS = 60_000

/** @param folder where the service keeps its store */
export async function restRow(folder: string): Promise<Row> {
  const service = await startProcess(['serve', '--sandbox', '--data', folder], MAIN)
  const bare = await startProcess([], BARE)
  try {
    await pause(SETTLED_MS)
    const [ours, floor]: [number[], number[]] = [[], []]
    for (let run = 0; run < RUNS; run++) {
      const [before, bareBefore] = [processorMs(service.pid), processorMs(bare.pid)]
      await pause(WATCHED_MS)
      ours.push((processorMs(service.pid) - before) * (MINUTE_MS / WATCHED_MS))
      floor.push((processorMs(bare.pid) - bareBefore) * (MINUTE_MS / WATCHED_MS))
    }
    return {
      work: 'Processor time for a minute at rest',
      unit: 'ms',
      ours,
      floor: { what: 'bare Express', values: floor },
    }
  } finally {
    await Promise.all([service.stop(), bare.stop()])
  }
}

/** Of all threads since the start, as the scheduler of Linux counts it. */
function processorMs(pid: number): number {
  const ofThread = (id: string) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0])
  return readdirSync(`/proc/${pid}/task`).reduce((sum, id) => sum + ofThread(id), 0) / 1e6
}
