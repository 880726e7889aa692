/** What tasks leave behind in a store, what their removal costs, and whether others then find room in what they left. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { systemClock } from '../../../lib/clock.ts'
import type { BucketPlace } from '../../../server/domain/bucket-place.ts'
import { aDispatch } from '../../support/store/a-dispatch.ts'
import { query } from '../../support/store/postgres/a-postgres.ts'
import { type Space, spaceOf } from './space.ts'
import { liveWholeLives, type Sizes } from './whole-lives.ts'

/** Where the documents of the last are in object storage. */
export type Place = 'SQLite' | 'PostgreSQL' | 'PostgreSQL, object storage'

export interface Stored {
  place: Place
  tasks: number
  /** What the tasks added. */
  added: Space
  /** Tasks per second whose documents and patients were removed. */
  removedPerSecond: number
  /** Bytes of log of removing them; null as in `Space`. */
  removalLog: number | null
  /** By how many bytes all tables grew when as many tasks came again. */
  addedAgain: number
  /** Rows of the audit log, for all of this. */
  audited: number
}

const SETTLED_EVERY_MS = 20

export async function measure(
  place: Place,
  data: string,
  tasks: number,
  sizes: Sizes,
  bucket?: BucketPlace,
): Promise<Stored> {
  const receiver = new Worker(new URL('../receiver-thread.ts', import.meta.url))
  const [{ port }] = (await once(receiver, 'message')) as [{ port: number }]
  const dispatch = await aDispatch({ data, bucket, clock: systemClock })
  await dispatch.subscribe(`http://127.0.0.1:${port}/callbacks`)
  dispatch.dispatcher.start()
  const live = async () => {
    await liveWholeLives(dispatch, tasks, sizes)
    while ((await dispatch.store.outbox.queues()).length > 0) await pause(SETTLED_EVERY_MS)
    return spaceOf(data)
  }
  const empty = await spaceOf(data)
  const full = await live()

  const began = performance.now()
  while (await dispatch.store.retention.removeContents(new Date(), new Date()));
  const removedPerSecond = tasks / ((performance.now() - began) / 1000)
  if (place !== 'SQLite') await query(data, 'VACUUM')
  const removed = await spaceOf(data)
  const again = await live()
  await dispatch.stop()
  await receiver.terminate()
  return {
    place,
    tasks,
    added: difference(empty, full),
    removedPerSecond,
    removalLog: removed.log === null ? null : removed.log - full.log!,
    addedAgain: total(again) - total(full),
    audited: removed.rows.get('audit')! - empty.rows.get('audit')!,
  }
}

export const total = ({ bytes }: Space): number => [...bytes.values()].reduce((sum, size) => sum + size, 0)

function difference(before: Space, after: Space): Space {
  const less = (name: 'bytes' | 'rows') =>
    new Map([...after[name]].map(([table, count]) => [table, count - (before[name].get(table) ?? 0)]))
  return { bytes: less('bytes'), rows: less('rows'), log: after.log === null ? null : after.log - before.log! }
}
