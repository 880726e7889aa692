/**
 * Durable deliveries, beside the same POSTs, signed and sent to the same receiver by the same code, from memory and with nothing
 * written down.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../../lib/clock.ts'
import { aDispatch } from '../../support/store/a-dispatch.ts'
import { type CallbackReceiver, startReceiver } from './callback-receiver.ts'
import { type Row, RUNS } from './row.ts'

const SUBSCRIPTIONS = 8
const AT_ONCE = 6 * SUBSCRIPTIONS
const EVENTS = 1_500
const DELIVERIES = EVENTS * SUBSCRIPTIONS

/** @param folder for the stores */
export async function deliveriesRow(folder: string): Promise<Row> {
  const receiver = await startReceiver()
  const [ours, floor]: [number[], number[]] = [[], []]
  try {
    for (let run = -1; run < RUNS; run++) {
      const [rate, floorRate] = [await durable(join(folder, `deliveries-${run}`), receiver), await bare(receiver)]
      await receiver.arrivals()
      // After the first run the code of both is compiled.
      if (run < 0) continue
      ours.push(rate)
      floor.push(floorRate)
    }
  } finally {
    await receiver.stop()
  }
  const what = 'the same POSTs without a store'
  return { work: 'Durable deliveries', unit: 'per second', ours, floor: { what, values: floor } }
}

async function bare(receiver: CallbackReceiver): Promise<number> {
  let left = DELIVERIES
  const began = performance.now()
  const lane = async () => {
    while (left-- > 0) await receiver.post(randomUUID())
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return DELIVERIES / ((performance.now() - began) / 1000)
}

async function durable(data: string, { url }: CallbackReceiver): Promise<number> {
  const dispatch = await aDispatch({ data, clock: systemClock })
  for (let n = 0; n < SUBSCRIPTIONS; n++) await dispatch.subscribe(url)
  await dispatch.happensOften(EVENTS)
  const began = performance.now()
  dispatch.dispatcher.start()
  // A queue is empty once the last attempt in it is written, not when it was sent.
  do await pause(20)
  while ((await dispatch.store.outbox.queues()).length > 0)
  const rate = DELIVERIES / ((performance.now() - began) / 1000)
  await dispatch.stop()
  return rate
}
