/**
 * Callbacks: how many durable deliveries a second, and how long from a change to its callback; each beside its floor, which is
 * the same POSTs, signed and sent to the same receiver by the same code, from memory and with nothing written down.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../lib/clock.ts'
import { aDispatch } from '../support/store/a-dispatch.ts'
import { type CallbackReceiver, startReceiver } from './overview/callback-receiver.ts'
import { deliveriesRow } from './overview/deliveries.ts'
import { lineOf } from './overview/row.ts'

const LATENCY_EVENTS = 400
const LATENCY_EVERY_MS = 5

const now = () => performance.timeOrigin + performance.now()

async function ourLatency(folder: string, receiver: CallbackReceiver): Promise<number[]> {
  const dispatch = await aDispatch({ data: join(folder, 'latency'), clock: systemClock })
  await dispatch.subscribe(receiver.url)
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
  return waits(changed, await receiver.arrivals())
}

async function floorLatency(receiver: CallbackReceiver): Promise<number[]> {
  const changed = new Map<string, number>()
  for (let n = 0; n < LATENCY_EVENTS; n++) {
    const eventId = randomUUID()
    changed.set(eventId, now())
    await receiver.post(eventId)
    await pause(LATENCY_EVERY_MS)
  }
  return waits(changed, await receiver.arrivals())
}

function waits(changed: Map<string, number>, came: Map<string, number>): number[] {
  const found = [...changed].map(([eventId, begun]) => came.get(eventId)! - begun)
  if (found.some(Number.isNaN)) throw new Error('An event did not arrive.')
  return found.sort((a, b) => a - b)
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)]!
const ms = (value: number) => `${value.toFixed(1)} ms`

const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
const receiver = await startReceiver()
try {
  console.log(lineOf(await deliveriesRow(folder)))
  const [floorWaits, ourWaits] = [await floorLatency(receiver), await ourLatency(folder, receiver)]
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const [mine, least] = [at(ourWaits, share), at(floorWaits, share)]
    console.log(`change to callback ${name} ${ms(mine)}   floor ${ms(least)}   ratio ${(mine / least).toFixed(1)}`)
  }
} finally {
  await receiver.stop()
  rmSync(folder, { recursive: true })
}
