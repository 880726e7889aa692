/** The audit log as the console lists it: newest first, with the names of those who acted. */
import { sql } from 'kysely'
import type { AuditAction, AuditOutcome } from '../../domain/audit.ts'
import type { StoryActor } from '../../domain/task/story.ts'
import type { StoreContext } from '../context.ts'
import { newestFirst } from '../sql/indexes/newest-first.ts'
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
  // One condition leads to an index; the others are compared on its rows.
  const leading = taskId !== undefined ? 'task' : actor !== undefined && actor !== 'service' ? 'actor' : 'action'
  if (taskId !== undefined) query = query.where('a.taskId', '=', taskId)
  if (actor !== undefined)
    query =
      leading === 'actor'
        ? query.where('a.actorId', '=', actor)
        : query.where(compared(sql`${unindexed(actor === 'service' ? 'a.actor' : 'a.actorId')} = ${actor}`))
  if (action !== undefined)
    query =
      leading === 'action'
        ? query.where('a.action', '=', action)
        : query.where(unindexed<AuditAction>('a.action'), '=', action)
  if (since !== undefined) query = query.where(compared(sql`${unindexed('a.at')} >= ${since}`))
  if (until !== undefined) query = query.where(compared(sql`${unindexed('a.at')} < ${until}`))
  const sequence = newestFirst('a.sequence', leading === 'actor')
  if (before !== undefined) query = query.where(sequence, '<', before)
  const rows = await query.orderBy(sequence, 'desc').limit(limit).execute()
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
