/** Tasks that are due for ingestion, claimed with a lease. */
import { SERVICE } from '../../domain/audit.ts'
import type { TaskChange, TaskState } from '../../domain/task/task.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import { type OnUnreadable, readable } from '../sealing/readable.ts'
import { openJson } from '../sealing/sealed-json.ts'
import { changeWithin } from './changes.ts'
import { type TaskRequest, taskColumns, taskOf } from './task-row.ts'

export interface ClaimedTask {
  id: number
  organizationId: number
  templateId: number | null
  attempts: number
  /** When it is due again, unless it is done by then or its lease is prolonged. */
  leaseUntil: Date
  /** Known when a person decided who the patient is. */
  patientId: number | null
  request: TaskRequest
}

export interface Claim {
  at: Date
  /** A task whose worker died is due again then. */
  leaseUntil: Date
  limit: number
}

export const claimTasks = (
  context: StoreContext,
  { at, leaseUntil, limit }: Claim,
  decide: (task: TaskState) => TaskChange,
  onUnreadable: OnUnreadable,
): Promise<ClaimedTask[]> =>
  inTransaction(context, async (inside) => {
    const ingestAt = leaseUntil.toISOString()
    const rows = await due(inside, at, limit)
    const opened = readable(rows, (row) => ({ row, task: claimedTaskOf(inside, row, leaseUntil) }), onUnreadable)
    for (const { row, task } of opened)
      await changeWithin(inside, {
        scope: 'all',
        taskId: row.id,
        actor: SERVICE,
        held: row,
        decide,
        also: async () => ({ ingestAt, ingestAttempts: task.attempts }),
      })
    const ids = new Set(opened.map(({ task }) => task.id))
    await lease(
      inside,
      rows.filter(({ id }) => !ids.has(id)),
      ingestAt,
    )
    return opened.map(({ task }) => task)
  })

type DueRow = Awaited<ReturnType<typeof due>>[number]

function due({ db, locksRows }: TransactionContext, at: Date, limit: number) {
  const query = db
    .selectFrom('task')
    .select([...taskColumns, 'templateId', 'ingestAttempts', 'patientId', 'sealedRequest'])
    .where('ingestAt', '<=', at.toISOString())
    .orderBy('ingestAt')
    .orderBy('id')
    .limit(limit)
  return (locksRows ? query.forUpdate().skipLocked() : query).execute()
}

/** Rows that cannot be opened are looked at again when the lease ends. */
async function lease({ db }: TransactionContext, rows: readonly DueRow[], ingestAt: string): Promise<void> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return
  await db
    .updateTable('task')
    .set((value) => ({ ingestAt, ingestAttempts: value('ingestAttempts', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}

function claimedTaskOf(context: StoreContext, row: DueRow, leaseUntil: Date): ClaimedTask {
  // Throws where the rest of the row does not open either: the claim itself is decided on it.
  if (!taskOf(context, row)) throw new Error('This task was changed in the database without the master key.')
  return {
    id: row.id,
    organizationId: row.organizationId,
    templateId: row.templateId,
    attempts: row.ingestAttempts + 1,
    leaseUntil,
    patientId: row.patientId,
    request: openJson<TaskRequest>(context, row.sealedRequest, bindings.taskRequest(row.id)),
  }
}
