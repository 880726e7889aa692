/**
 * Callbacks: how many durable deliveries a second, and how long from a change to its callback; each beside its floor, which is
 * the same POSTs, signed and sent to the same receiver by the same code, from memory and with nothing written down.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { systemClock } from '../../lib/clock.ts'
import { targetPolicy } from '../../server/domain/delivery/target.ts'
import { createPoster } from '../../server/workers/delivery/post.ts'
import { systemResolve } from '../../server/workers/delivery/resolve.ts'
import { aDispatch } from '../support/store/a-dispatch.ts'

const SUBSCRIPTIONS = 8
const AT_ONCE = 6 * SUBSCRIPTIONS
const EVENTS = 1_500
const DELIVERIES = EVENTS * SUBSCRIPTIONS
const LATENCY_EVENTS = 400
const LATENCY_EVERY_MS = 5

const now = () => performance.timeOrigin + performance.now()
const receiver = new Worker(new URL('./receiver-thread.ts', import.meta.url))
const [{ port }] = (await once(receiver, 'message')) as [{ port: number }]
const url = `http://127.0.0.1:${port}/callbacks`
const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
const poster = createPoster({ clock: systemClock, targets: targetPolicy(true, []), resolve: systemResolve })
const never = new AbortController().signal
const secret = randomBytes(32)

async function arrivals(): Promise<Map<string, number>> {
  receiver.postMessage('came')
  const [{ came }] = (await once(receiver, 'message')) as [{ came: [string, number][] }]
  return new Map(came)
}

function sendingOf(eventId: string) {
  const event = { taskId: 1001, status: 'Failed', statusReason: null, documentId: null, eventId }
  const body = JSON.stringify({
    ...event,
    eventType: 'document.status_changed',
    occurredAtUtc: new Date().toISOString(),
  })
  return { organizationId: 1, url, secret, eventId, body: Buffer.from(body), attemptNumber: 1 }
}

async function floorRate(): Promise<number> {
  let left = DELIVERIES
  const begun = now()
  const lane = async () => {
    while (left-- > 0) await poster.post(sendingOf(randomUUID()), never)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return DELIVERIES / ((now() - begun) / 1000)
}

async function ourRate(): Promise<number> {
  const dispatch = await aDispatch({ data: join(folder, 'rate'), clock: systemClock })
  for (let n = 0; n < SUBSCRIPTIONS; n++) await dispatch.subscribe(url)
  await dispatch.happensOften(EVENTS)
  const begun = now()
  dispatch.dispatcher.start()
  // A queue is empty once the last attempt in it is written, not when it was sent.
  do await pause(20)
  while ((await dispatch.store.outbox.queues()).length > 0)
  const rate = DELIVERIES / ((now() - begun) / 1000)
  await dispatch.stop()
  return rate
}

async function ourLatency(): Promise<number[]> {
  const dispatch = await aDispatch({ data: join(folder, 'latency'), clock: systemClock })
  await dispatch.subscribe(url)
  dispatch.dispatcher.start()
  const taskId = await dispatch.aTaskId()
  const changed = new Map<string, number>()
  for (let n = 0; n < LATENCY_EVENTS; n++) {
    const begun = now()
    const [eventId] = await dispatch.happensOften(1, taskId)
    changed.set(eventId!, begun)
    await pause(LATENCY_EVERY_MS)
  }
  await pause(500)
  await dispatch.stop()
  return waits(changed, await arrivals())
}

async function floorLatency(): Promise<number[]> {
  const changed = new Map<string, number>()
  for (let n = 0; n < LATENCY_EVENTS; n++) {
    const eventId = randomUUID()
    changed.set(eventId, now())
    await poster.post(sendingOf(eventId), never)
    await pause(LATENCY_EVERY_MS)
  }
  return waits(changed, await arrivals())
}

function waits(changed: Map<string, number>, came: Map<string, number>): number[] {
  const found = [...changed].map(([eventId, begun]) => came.get(eventId)! - begun)
  if (found.some(Number.isNaN)) throw new Error('An event did not arrive.')
  return found.sort((a, b) => a - b)
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)]!
const ms = (value: number) => `${value.toFixed(1)} ms`

await floorRate()
const [floor, ours] = [await floorRate(), await ourRate()]
await arrivals()
const [floorWaits, ourWaits] = [await floorLatency(), await ourLatency()]

console.log(
  `durable deliveries     ${ours.toFixed(0)}/s   floor ${floor.toFixed(0)}/s   ratio ${(ours / floor).toFixed(2)}`,
)
for (const [name, share] of [
  ['p50', 0.5],
  ['p99', 0.99],
] as const) {
  const [mine, least] = [at(ourWaits, share), at(floorWaits, share)]
  console.log(`change to callback ${name} ${ms(mine)}   floor ${ms(least)}   ratio ${(mine / least).toFixed(1)}`)
}
poster.close()
await receiver.terminate()
rmSync(folder, { recursive: true })
