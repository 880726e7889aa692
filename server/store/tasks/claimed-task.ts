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

export async function claimTasks(
  context: StoreContext,
  { at, leaseUntil, limit }: Claim,
  decide: (task: TaskState) => TaskChange,
  onUnreadable: OnUnreadable,
): Promise<ClaimedTask[]> {
  // Most looks find nothing, and need not wait for those who write.
  if ((await due(context, at, 1).execute()).length === 0) return []
  return inTransaction(context, async (inside) => {
    const ingestAt = leaseUntil.toISOString()
    const rows = await lease(inside, at, ingestAt, limit)
    const claimed = readable(rows, (row) => claimedTaskOf(inside, row), onUnreadable)
    for (const { id } of claimed)
      await changeWithin(inside, {
        scope: 'all',
        taskId: id,
        actor: SERVICE,
        decide,
        also: async () => ({ ingestAt }),
      })
    return claimed
  })
}

const due = ({ db }: StoreContext, at: Date, limit: number) =>
  db
    .selectFrom('task')
    .select('id')
    .where('ingestAt', '<=', at.toISOString())
    .orderBy('ingestAt')
    .orderBy('id')
    .limit(limit)

type LeasedRow = Awaited<ReturnType<typeof lease>>[number]

/** Rows that are due, from now on owned until `ingestAt`. */
async function lease(inside: TransactionContext, at: Date, ingestAt: string, limit: number) {
  const free = due(inside, at, limit)
  const ids = (await (inside.locksRows ? free.forUpdate().skipLocked() : free).execute()).map(({ id }) => id)
  if (ids.length === 0) return []
  return inside.db
    .updateTable('task')
    .set((value) => ({ ingestAt, ingestAttempts: value('ingestAttempts', '+', 1) }))
    .where('id', 'in', ids)
    .returning([...taskColumns, 'templateId', 'ingestAttempts', 'patientId', 'sealedRequest'])
    .execute()
}

function claimedTaskOf(context: StoreContext, row: LeasedRow): ClaimedTask {
  // Throws where the rest of the row does not open either: the claim itself is decided on it.
  taskOf(context, row)
  return {
    id: row.id,
    organizationId: row.organizationId,
    templateId: row.templateId,
    attempts: row.ingestAttempts,
    patientId: row.patientId,
    request: openJson<TaskRequest>(context, row.sealedRequest, bindings.taskRequest(row.id)),
  }
}
