/** Which threads of a built service work for a create and its ingestion, by the counts of Linux. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { startService } from '../../../scripts/soak/service.ts'
import { createSender } from '../../support/load/sender.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'

const TASKS = 200
const AT_ONCE = 8
/** Each look takes time from what is measured. */
const LOOK_EVERY_MS = 500
const PATH = '/api/v1/signature/tasks'
/** Of the clock in which Linux counts. */
const TICK_MS = 10

/** In milliseconds for each create, by what the threads are for. @param data folder for the store */
export async function createByThread(data: string, pdf: Buffer): Promise<Map<string, number>> {
  const service = await startService(data)
  const sender = createSender({ baseUrls: [service.baseUrl], key: service.keys[0]! })
  const document = { attachment: pdf.toString('base64'), annotations: { type: 'SmartAnnotations' } as const }
  const body = aCreateBody({ document })
  async function creates(): Promise<void> {
    let left = TASKS
    const connection = async () => {
      while (left-- > 0) await sender.ask({ name: 'create', method: 'POST', path: PATH, body, expected: 201 })
    }
    await Promise.all(Array.from({ length: AT_ONCE }, connection))
    const list = { name: 'list', method: 'GET', path: `${PATH}?limit=${TASKS}`, expected: 200 } as const
    const statuses = async () => ((await sender.ask(list)) as { status: string }[]).map(({ status }) => status)
    while ((await statuses()).some((status) => status !== 'Pending')) await pause(LOOK_EVERY_MS)
  }
  try {
    // The first start the threads.
    await creates()
    const sqlite = workersOf(service.pid)[0]!
    const before = timesOf(service.pid)
    await creates()
    const spent = new Map<string, number>()
    for (const [id, { name, ms }] of timesOf(service.pid)) {
      const use = id === sqlite ? SQLITE : (USES[name] ?? OTHERS)
      spent.set(use, (spent.get(use) ?? 0) + (ms - (before.get(id)?.ms ?? 0)) / TASKS)
    }
    return spent
  } finally {
    sender.close()
    await service.stop()
  }
}

const SQLITE = 'SQLite'
const OTHERS = 'Others'
const WORKER = 'WorkerThread'
const USES: Readonly<Record<string, string>> = {
  MainThread: 'HTTP, rules and workers (the event loop)',
  node: 'HTTP, rules and workers (the event loop)',
  [WORKER]: 'Reading and placing documents',
  V8Worker: 'Compiling and collecting garbage (V8)',
}

/** Threads of Node's workers, the oldest first: SQLite's starts with the service. */
const workersOf = (pid: number): number[] =>
  [...timesOf(pid)]
    .filter(([, { name }]) => name === WORKER)
    .map(([id]) => id)
    .sort((a, b) => a - b)

function timesOf(pid: number): Map<number, { name: string; ms: number }> {
  const ids = readdirSync(`/proc/${pid}/task`).map(Number)
  return new Map(
    ids.map((id) => {
      const line = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8')
      const [start, end] = [line.indexOf('('), line.lastIndexOf(')')]
      // Fields 14 and 15 of proc(5): in user and in kernel mode.
      const fields = line.slice(end + 2).split(' ')
      return [id, { name: line.slice(start + 1, end), ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS }]
    }),
  )
}
