/** The audit log as the console lists it: newest first, with the names of those who acted. */
import { sql } from 'kysely'
import type { AuditAction, AuditOutcome } from '../../domain/audit.ts'
import type { StoryActor } from '../../domain/task/story.ts'
import type { StoreContext } from '../context.ts'
import { compared, unindexed } from '../sql/indexes/unindexed.ts'
import { actorOf, actsOf } from './story-facts.ts'

export interface ListedAudit {
  sequence: number
  at: string
  by: StoryActor
  action: AuditAction
  outcome: AuditOutcome
  organizationId: number | null
  taskId: number | null
  subject: string | null
  requestId: string | null
  ip: string | null
}

export interface AuditFilter {
  action?: AuditAction | undefined
  taskId?: number | undefined
  /** Who acted: an id, or `service`. */
  actor?: string | undefined
  /** ISO 8601 in UTC; `until` itself is excluded. */
  since?: string | undefined
  until?: string | undefined
  /** Only entries before this one: the next page. */
  before?: number | undefined
  limit: number
}

export async function listAudit(
  context: StoreContext,
  { action, taskId, actor, since, until, before, limit }: AuditFilter,
): Promise<ListedAudit[]> {
  let query = actsOf(context).select(['a.sequence', 'a.organizationId', 'a.taskId', 'a.ip'])
  if (taskId !== undefined) query = query.where('a.taskId', '=', taskId)
  if (action !== undefined)
    query =
      taskId === undefined
        ? query.where('a.action', '=', action)
        : query.where(unindexed<AuditAction>('a.action'), '=', action)
  if (actor !== undefined)
    query = query.where(compared(sql`${sql.ref(actor === 'service' ? 'a.actor' : 'a.actorId')} = ${actor}`))
  if (since !== undefined) query = query.where(compared(sql`${sql.ref('a.at')} >= ${since}`))
  if (until !== undefined) query = query.where(compared(sql`${sql.ref('a.at')} < ${until}`))
  if (before !== undefined) query = query.where('a.sequence', '<', before)
  const rows = await query.orderBy('a.sequence', 'desc').limit(limit).execute()
  return rows.map(({ sequence, at, action, outcome, organizationId, taskId, subject, requestId, ip, ...actor }) => ({
    sequence,
    at,
    by: actorOf(actor),
    action,
    outcome,
    organizationId,
    taskId,
    subject,
    requestId,
    ip,
  }))
}
