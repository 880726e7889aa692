/** What an attacker does who can write to the database but has no master key: makes the audit log consistent again after a change. */
import { createHash } from 'node:crypto'
import { type AuditRow, chained, GENESIS } from '../../../server/domain/audit.ts'

export type Query = (sql: string) => Promise<Record<string, unknown>[]>

/** Chains the rows from that sequence number on anew, with what is public. */
export async function rewrittenFrom(first: number, query: Query): Promise<void> {
  let previous = GENESIS
  for (const row of await query('SELECT * FROM audit ORDER BY sequence')) {
    const sequence = Number(row.sequence)
    if (sequence >= first) {
      const hash = createHash('sha256')
        .update(chained(previous, asWritten(row)))
        .digest('hex')
      await query(`UPDATE audit SET hash = '${hash}' WHERE sequence = ${sequence}`)
      previous = hash
    } else previous = String(row.hash)
  }
}

const asWritten = ({ actor_id, organization_id, task_id, request_id, ...rest }: Record<string, unknown>) =>
  ({
    ...rest,
    actorId: actor_id,
    organizationId: organization_id,
    taskId: task_id,
    requestId: request_id,
  }) as unknown as AuditRow
