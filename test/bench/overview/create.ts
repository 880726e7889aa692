/**
 * Creates that are validated, durable and ingested, by eight connections to the built service; beside a bare Express that looks at
 * the same PDF with each reader in worker threads and makes one synced insert. Also the memory of the service a minute after.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startService } from '../../../scripts/soak/service.ts'
import { fixture } from '../../support/fixtures.ts'
import { createSender, type Sender } from '../../support/load/sender.ts'
import { freePort } from '../../support/network/free-port.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { type Row, RUNS } from './row.ts'

const AT_ONCE = 8
const TASKS = 120
/** Runs after which the threads have started, and most of what they do is compiled. */
const WARM_UP = 6
/** Each look lists all tasks, which takes time from what is measured. */
const LOOK_EVERY_MS = 25
const STORM_REST_MS = 60_000
const TASKS_PATH = '/api/v1/signature/tasks'
const FLOOR = join(import.meta.dirname, 'floor-service.ts')

/** @param folder for both stores */
export async function createRows(folder: string): Promise<Row[]> {
  const service = await startService(join(folder, 'create'))
  const floor = await startFloor(join(folder, 'floor.db'))
  const senders = [service.baseUrl, floor.baseUrl].map((url) =>
    createSender({ baseUrls: [url], key: service.keys[0]! }),
  )
  const [ours, bare] = senders as [Sender, Sender]
  const rates: { ours: number[]; floor: number[] } = { ours: [], floor: [] }
  try {
    for (let run = -WARM_UP; run < RUNS; run++) {
      const [rate, floorRate] = [await perSecond(ours, ingested), await perSecond(bare, async () => {})]
      if (run < 0) continue
      rates.ours.push(rate)
      rates.floor.push(floorRate)
    }
    await pause(STORM_REST_MS)
    const what = 'bare Express, one look by each reader, one synced insert'
    return [
      {
        work: 'Create, validated, durable and ingested (order of 36 kB)',
        unit: 'per second',
        ours: rates.ours,
        floor: { what, values: rates.floor },
      },
      { work: 'Memory a minute after these creates', unit: 'MB', ours: [service.residentBytes() / 1e6], floor: null },
    ]
  } finally {
    for (const sender of senders) sender.close()
    await Promise.all([service.stop(), floor.stop()])
  }
}

/** @param settled resolves when all that was created is done */
async function perSecond(sender: Sender, settled: (sender: Sender) => Promise<void>): Promise<number> {
  const attachment = Buffer.from(fixture('pdf/orders/libreoffice-order.pdf')).toString('base64')
  const body = aCreateBody({ document: { attachment, annotations: { type: 'SmartAnnotations' } } })
  let left = TASKS
  const began = performance.now()
  const connection = async () => {
    while (left-- > 0) await sender.ask({ name: 'create', method: 'POST', path: TASKS_PATH, body, expected: 201 })
  }
  await Promise.all(Array.from({ length: AT_ONCE }, connection))
  await settled(sender)
  return TASKS / ((performance.now() - began) / 1000)
}

/** Throws when a task is anything but Pending in the end. */
async function ingested(sender: Sender): Promise<void> {
  for (;;) {
    const path = `${TASKS_PATH}?limit=${TASKS}`
    const tasks = (await sender.ask({ name: 'list', method: 'GET', path, expected: 200 })) as { status: string }[]
    const others = tasks.filter(({ status }) => status !== 'Pending')
    const stuck = others.find(({ status }) => status !== 'Received' && status !== 'Processing')
    if (stuck) throw new Error(`A task is ${stuck.status}`)
    if (others.length === 0) return
    await pause(LOOK_EVERY_MS)
  }
}

async function startFloor(file: string) {
  const port = await freePort()
  const child = spawn(process.execPath, [FLOOR, '--port', String(port), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), gone.then(() => Promise.reject(new Error('The floor ended.')))])
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}
