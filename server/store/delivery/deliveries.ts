/** The delivery log for people: what was sent to whom, each attempt, and sending it again. It shows ids and states, never a body or a URL. */
import type { Kysely } from 'kysely'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { OPERATOR } from '../../domain/audit.ts'
import type { AttemptOutcome, AttemptTrigger, DeliveryState } from '../../domain/delivery/attempt.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import type { Schema } from '../sql/schema.ts'

export interface DeliveryFilter {
  id?: number | undefined
  eventId?: string | undefined
  taskId?: number | undefined
  subscriptionId?: number | undefined
  organizationId?: number | undefined
  states?: readonly DeliveryState[] | undefined
  /** Events that occurred then or later. */
  since?: Date | undefined
}

export interface Delivery {
  id: number
  eventId: string
  taskId: number
  /** What the event tells. */
  status: TaskStatus
  organizationId: number
  subscriptionId: number
  state: DeliveryState
  attempts: number
  occurredAt: string
  updatedAt: string
  /** When the next attempt is due; null when none is. */
  nextAttemptAt: string | null
  isUnderWay: boolean
}

export interface Attempt {
  attemptNumber: number
  trigger: AttemptTrigger
  scheduledAt: string | null
  startedAt: string
  durationMs: number
  connectMs: number | null
  firstByteMs: number | null
  status: number | null
  outcome: AttemptOutcome
  answerBytes: number
  nextAttemptAt: string | null
}

export function deliveries(context: StoreContext) {
  const { db } = context

  return {
    /** Newest first; `before` is the id of the last delivery of the page before. */
    async list(filter: DeliveryFilter, limit: number, before?: number): Promise<Delivery[]> {
      let query = matching(db, filter)
      if (before !== undefined) query = query.where('d.id', '<', before)
      const rows = await query
        .select(['d.id', 'd.eventId', 'e.taskId', 'e.status', 'd.organizationId', 'd.subscriptionId', 'd.state'])
        .select(['d.attempts', 'e.occurredAt', 'd.updatedAt', 'd.dueAt', 'd.lease'])
        .orderBy('d.id', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        eventId: row.eventId,
        taskId: row.taskId,
        status: row.status,
        organizationId: row.organizationId,
        subscriptionId: row.subscriptionId,
        state: row.state,
        attempts: row.attempts,
        occurredAt: row.occurredAt,
        updatedAt: row.updatedAt,
        nextAttemptAt: row.state === 'waiting' && row.lease === null ? row.dueAt : null,
        isUnderWay: row.state === 'waiting' && row.lease !== null,
      }))
    },

    /** The attempts of a delivery, in order. */
    async attempts(deliveryId: number): Promise<Attempt[]> {
      const rows = await db
        .selectFrom('attempt')
        .selectAll()
        .where('deliveryId', '=', deliveryId)
        .orderBy('number')
        .execute()
      return rows.map((row) => ({
        attemptNumber: row.number,
        trigger: row.trigger,
        scheduledAt: row.scheduledAt,
        startedAt: row.startedAt,
        durationMs: row.durationMs,
        connectMs: row.connectMs,
        firstByteMs: row.firstByteMs,
        status: row.status,
        outcome: row.outcome,
        answerBytes: row.answerBytes,
        nextAttemptAt: row.nextAt,
      }))
    },

    /**
     * Sends again, at once and with the same body and event id: what waits for its next try is not waited for, and what had
     * ended begins its schedule anew. Left out are deliveries of subscriptions that are not active and those being sent at
     * this moment. With `dryRun` nothing changes. Says how many deliveries it concerns.
     */
    async redeliver(filter: DeliveryFilter, at: Date, { dryRun = false, by = OPERATOR } = {}): Promise<number> {
      const count = await inTransaction(context, async (inside) => {
        const now = at.toISOString()
        const found = await matching(inside.db, filter)
          .select(['d.id', 'd.organizationId'])
          .where('s.isActive', '=', 1)
          .where('s.deletedAt', 'is', null)
          .where((row) => row.or([row('d.lease', 'is', null), row('d.dueAt', '<=', now)]))
          .orderBy('d.id')
          .execute()
        if (dryRun) return found.length
        for (let from = 0; from < found.length; from += IDS_AT_ONCE)
          await inside.db
            .updateTable('delivery')
            .set((row) => ({
              state: 'waiting' as const,
              dueAt: now,
              lease: null,
              nextTrigger: 'manual' as const,
              roundStart: row.ref('attempts'),
              roundAt: now,
              updatedAt: now,
            }))
            .where(
              'id',
              'in',
              found.slice(from, from + IDS_AT_ONCE).map(({ id }) => id),
            )
            .execute()
        for (const { id, organizationId } of found)
          inside.audit({ action: 'delivery.redeliver', by, at, organizationId, subject: id })
        return found.length
      })
      if (count > 0 && !dryRun) context.announce('event')
      return count
    },

    /** Shortens the log of attempts: those that began before `before`, and the oldest beyond `maxRows`. Says how many went. */
    async trimAttempts(before: Date, maxRows: number): Promise<number> {
      const oldestKept = await db
        .selectFrom('attempt')
        .select('startedAt')
        .orderBy('startedAt', 'desc')
        .offset(maxRows - 1)
        .limit(1)
        .executeTakeFirst()
      const limit = [before.toISOString(), oldestKept?.startedAt ?? ''].sort().at(-1)!
      for (let removed = 0; ; ) {
        const { numDeletedRows } = await db
          .deleteFrom('attempt')
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple('deliveryId', 'number'),
              'in',
              selectFrom('attempt as a')
                .select(['a.deliveryId', 'a.number'])
                .where('a.startedAt', '<', limit)
                .limit(IDS_AT_ONCE)
                .$asTuple('deliveryId', 'number'),
            ),
          )
          .executeTakeFirst()
        removed += Number(numDeletedRows)
        // A little at a time: others who wait for the database are let in between.
        if (Number(numDeletedRows) < IDS_AT_ONCE) return removed
      }
    },
  }
}

function matching(
  db: Kysely<Schema>,
  { id, eventId, taskId, subscriptionId, organizationId, states, since }: DeliveryFilter,
) {
  let query = db
    .selectFrom('delivery as d')
    .innerJoin('event as e', 'e.eventId', 'd.eventId')
    .innerJoin('subscription as s', 's.id', 'd.subscriptionId')
  if (id !== undefined) query = query.where('d.id', '=', id)
  if (eventId !== undefined) query = query.where('d.eventId', '=', eventId)
  if (taskId !== undefined) query = query.where('e.taskId', '=', taskId)
  if (subscriptionId !== undefined) query = query.where('d.subscriptionId', '=', subscriptionId)
  if (organizationId !== undefined) query = query.where('d.organizationId', '=', organizationId)
  if (states !== undefined) query = query.where('d.state', 'in', states)
  if (since !== undefined) query = query.where('e.occurredAt', '>=', since.toISOString())
  return query
}

const IDS_AT_ONCE = 1_000
