/** Creates for a while, timed until all are acknowledged, until all are ingested, and until every callback has arrived. */
import { setTimeout as pause } from 'node:timers/promises'
import { fixture } from '../../support/fixtures.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import type { Fleet } from './fleet.ts'

export interface StormRates {
  /** All that were created. */
  tasks: number
  /** Tasks per second, from the first create on. */
  created: number
  ingested: number
  told: number
}

/** Creates under way at once. */
export const AT_ONCE = 16
const LOOK_EVERY_MS = 20

/** The sender must have one subscription. Creates are begun for `seconds`. */
export async function storm({ sender, look }: Fleet, seconds: number): Promise<StormRates> {
  const attachment = Buffer.from(fixture('pdf/orders/libreoffice-order.pdf')).toString('base64')
  const body = aCreateBody({ document: { attachment, annotations: { type: 'SmartAnnotations' } } })
  const call = { name: 'create', method: 'POST', path: '/api/v1/signature/tasks', body, expected: 201 }
  // What was kept since the last storm may be closed just as it is used.
  sender.close()
  let tasks = 0
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  const connection = async () => {
    for (; elapsed() < seconds; tasks++) await sender.ask(call)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, connection))
  const created = tasks / elapsed()
  await none(look, "SELECT 1 FROM task WHERE status IN ('Received', 'Processing') LIMIT 1")
  const ingested = tasks / elapsed()
  await allTold(look)
  const told = tasks / elapsed()
  const { rows } = await look.query("SELECT status FROM task WHERE status NOT IN ('Pending', 'Retracted')")
  if (rows.length > 0) throw new Error(`${rows.length} tasks are ${rows[0].status}.`)
  return { tasks, created, ingested, told }
}

/** Resolves when every event has been delivered to everybody. */
export const allTold = (look: Fleet['look']): Promise<void> =>
  none(
    look,
    `(SELECT 1 FROM event WHERE is_fanned_out = 0 LIMIT 1)
     UNION ALL (SELECT 1 FROM delivery WHERE state = 'waiting' LIMIT 1)`,
  )

async function none(look: Fleet['look'], query: string): Promise<void> {
  while ((await look.query(query)).rows.length > 0) await pause(LOOK_EVERY_MS)
}
