/** Finds the queues in which nodes that are gone from the flows have left messages, and takes the messages out of them. */
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from '../../../lib/clock.ts'
import { sealOf } from '../carry/seal-of.ts'
import { countImpossibleRows, removeImpossibleRows } from '../database/impossible-rows.ts'
import { type JournalChoice, journalOf, queueOf } from '../database/journal-choice.ts'
import { IS_NUMBERED } from '../database/where.ts'
import { openHeldQueue } from '../held/held-queue.ts'
import { openSealedQueue } from '../intake/sealed-queue.ts'
import type { Adopter } from '../runtime/adopters.ts'
import type { Runtime } from '../runtime/node-red.ts'
import { nodesInFlows } from '../runtime/nodes-in-flows.ts'
import { RUN } from '../runtime/run.ts'
import { sharedText } from '../runtime/status.ts'
import type { Orphan } from './orphan.ts'

export type QueueKind = 'held' | 'intake' | 'outbox'

const COUNTS: Record<QueueKind, string> = {
  held: 'SELECT count(*) AS count FROM held',
  intake: 'SELECT count(*) AS count FROM accepted WHERE sealed IS NOT NULL',
  outbox: 'SELECT count(*) AS count FROM accepted WHERE sealed IS NOT NULL',
}

/** Returns a row for each queue of a node that is gone, and one for all rows of a database whose number is impossible. */
export async function queueOrphans(runtime: Runtime): Promise<Orphan[]> {
  const isInFlows = nodesInFlows(runtime)
  const place = journalOf(runtime)
  const gone = (await countsOf(place)).flatMap(({ queue, count }): Orphan[] => {
    const [, kind, nodeId] = /^(held|intake|outbox)-(.+)$/.exec(queue) ?? []
    if (kind === undefined || nodeId === undefined || isInFlows(nodeId) || count === 0) return []
    return [
      {
        id: encodeURIComponent(`${queue}.sqlite`),
        kind: kind as QueueKind,
        reason: 'node',
        address: null,
        nodeId,
        count,
        externalDocId: null,
        taskId: null,
        canBeOpened: true,
        actions: ['adopt', 'discard'],
      },
    ]
  })
  const impossible = 'database' in place ? await countImpossibleRows(place.database) : 0
  return impossible > 0 ? [...gone, rowsOrphan(impossible)] : gone
}

const rowsOrphan = (count: number): Orphan => ({
  id: 'rows',
  kind: 'row',
  reason: 'number',
  address: null,
  nodeId: null,
  count,
  externalDocId: null,
  taskId: null,
  canBeOpened: true,
  actions: ['discard'],
})

/** How many messages each queue holds. */
async function countsOf(place: JournalChoice): Promise<{ queue: string; count: number }[]> {
  if ('folder' in place)
    return globSync('{held,intake,outbox}-*.sqlite', { cwd: place.folder }).map((file) => ({
      queue: file.slice(0, -'.sqlite'.length),
      count: countIn(join(place.folder, file), COUNTS[file.split('-')[0] as QueueKind]),
    }))
  await place.database.ready()
  const { rows } = await place.database.pool.query<{ queue: string; count: string }>(
    `SELECT queue, count(*) AS count FROM countersign_held WHERE ${IS_NUMBERED} GROUP BY queue
     UNION ALL SELECT queue, count(*) AS count FROM countersign_accepted
       WHERE sealed IS NOT NULL AND ${IS_NUMBERED} GROUP BY queue`,
  )
  return rows.map(({ queue, count }) => ({ queue, count: Number(count) }))
}

function countIn(file: string, sql: string): number {
  if (!existsSync(file)) return 0
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(database.prepare(sql).get()!.count)
  } finally {
    database.close()
  }
}

/**
 * Hands each message of the file to the adopter, or drops it. Throws the first error; what was not handed over by then stays in the
 * file.
 * @param adopter null discards the messages
 */
export async function emptyQueue(runtime: Runtime, { kind, nodeId }: Orphan, adopter: Adopter | null): Promise<void> {
  if (kind === 'row') {
    const place = journalOf(runtime)
    if ('database' in place) await removeImpossibleRows(place.database)
    return
  }
  const seal = sealOf(runtime)()
  const where = queueOf(runtime, kind as QueueKind, String(nodeId))
  const common = { nodeId: String(nodeId), seal, clock: systemClock, onDropped: () => {} }
  if (kind === 'held') {
    const all = { maxMessages: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }
    const quiet = { emit: () => {}, onChanged: () => {}, onError: () => {} }
    const endedReason = sharedText(runtime, 'held.endedNodeRed')
    const queue = openHeldQueue({ ...common, where, ...all, ...quiet, run: RUN, endedReason })
    try {
      for (const heldId of queue.ids()) {
        if (adopter) await adopter.adopt(await queue.message(heldId))
        queue.discard(heldId)
        // Each is written to the disk, and there may be thousands.
        await nextTurn()
      }
    } finally {
      queue.close(true)
    }
    return
  }
  const queue = openSealedQueue({ ...common, file: where, maxBytes: Number.POSITIVE_INFINITY })
  try {
    queue.marks.recover()
    for (let entry = queue.next(0); entry; entry = queue.next(entry.id)) {
      if (adopter) await adopter.adopt({ message: await queue.openInTurns(entry), digest: entry.digest })
      await queue.take(entry.id)
    }
  } finally {
    queue.close(true)
  }
}
