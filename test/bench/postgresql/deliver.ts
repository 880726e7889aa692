/** Many events at the same moment, timed until the last callback has been settled. */
import { randomUUID } from 'node:crypto'
import { SERVICE } from '../../../server/domain/audit.ts'
import { transition } from '../../../server/domain/task/task.ts'
import { inTransaction } from '../../../server/store/context.ts'
import { openContext } from '../../../server/store/open-context.ts'
import { changeWithin } from '../../../server/store/tasks/changes.ts'
import type { Fleet } from './fleet.ts'
import { allTold } from './storm.ts'

/**
 * Retracts `count` tasks that are Pending in one transaction, so that writing the events takes no time from delivering them.
 * @returns callbacks per second
 */
export async function deliver({ data, masterKey, look }: Fleet, count: number): Promise<number> {
  const opened = await openContext({ data, connections: 1 }, masterKey, [])
  const waiting = "SELECT id FROM task WHERE status = 'Pending' ORDER BY id LIMIT $1"
  const { rows } = await look.query<{ id: number }>(waiting, [count])
  const at = new Date()
  await inTransaction(opened.context, async (inside) => {
    for (const { id } of rows)
      await changeWithin(inside, {
        scope: 'all',
        taskId: id,
        actor: SERVICE,
        decide: (task) => transition(task, 'retract', { at, eventId: randomUUID(), reason: null }),
      })
  })
  const began = performance.now()
  opened.context.announce('event')
  await allTold(look)
  const seconds = (performance.now() - began) / 1000
  await opened.close()
  const delivered = `SELECT count(*)::int AS count FROM delivery JOIN event USING (event_id)
    WHERE event.task_id = ANY($1) AND event.status = 'Retracted' AND delivery.state = 'delivered'`
  const told = await look.query<{ count: number }>(delivered, [rows.map(({ id }) => id)])
  return told.rows[0]!.count / seconds
}
