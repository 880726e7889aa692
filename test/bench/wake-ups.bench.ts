/**
 * Two instances on one PostgreSQL: how long from a change in one to its callback from the other, beside its floor, which is the same
 * change in the instance that sends the callback. Unwoken, the other would find it at its next look, after up to two seconds.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../lib/clock.ts'
import { answers, aRoughReceiver } from '../support/network/rough-receiver.ts'
import { aDispatch } from '../support/store/a-dispatch.ts'
import { aPostgres } from '../support/store/postgres/a-postgres.ts'

const CHANGES = 50
const EVERY_MS = 60

const now = () => performance.now()
const postgres = await aPostgres()
const receiver = await aRoughReceiver({ behave: answers(204), now })
const delivering = await aDispatch({ data: postgres.url, clock: systemClock })
const changing = await aDispatch({ data: postgres.url, clock: systemClock })
await delivering.subscribe(receiver.url)
delivering.dispatcher.start()
const taskId = await changing.aTaskId()
await pause(1_000)

async function waits(by: Pick<typeof changing, 'happensOften'>): Promise<number[]> {
  const changed = new Map<string, number>()
  for (let n = 0; n < CHANGES; n++) {
    const begun = now()
    const [eventId] = await by.happensOften(1, taskId)
    changed.set(eventId!, begun)
    await pause(EVERY_MS)
  }
  while (!receiver.taken.some(({ headers }) => headers['x-service-event-id'] === [...changed.keys()].at(-1)))
    await pause(5)
  const came = new Map(receiver.taken.map(({ headers, at }) => [headers['x-service-event-id'], at]))
  return [...changed].map(([eventId, begun]) => came.get(eventId)! - begun).sort((a, b) => a - b)
}

// Once for what is only made once.
await waits(delivering)
const floor = await waits(delivering)
const ours = await waits(changing)
for (const [name, share] of [
  ['p50', 0.5],
  ['p95', 0.95],
] as const) {
  const at = (sorted: readonly number[]) => sorted[Math.floor(sorted.length * share)]!
  const figures = [at(ours).toFixed(1), at(floor).toFixed(1), (at(ours) / at(floor)).toFixed(1)]
  console.log(
    `change to callback of the other instance ${name} ${figures[0]} ms   floor ${figures[1]} ms   ratio ${figures[2]}`,
  )
}
await Promise.all([delivering.stop(), changing.stop(), receiver.close()])
await postgres.stop()
