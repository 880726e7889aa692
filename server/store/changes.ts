/** Changes of a task: the row and its event in one transaction, so that no change is ever without its event. */
import type { StatusEvent } from '../../lib/contract/event.ts'
import type { TaskStatus } from '../../lib/contract/task.ts'
import type { Actor, AuditAction } from '../domain/audit.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Change, type OutcomeWish, recorded, recordProblems, type TaskState } from '../domain/task.ts'
import { bindings } from './bindings.ts'
import { flag, inTransaction, type StoreContext, sealJson, type TransactionContext } from './context.ts'
import { isWithin, noSuchTask, type Scope } from './scope.ts'
import { type RecordRow, recordColumns, recordOf, senderIndexes, type TaskNotes } from './tasks.ts'

/**
 * Decides on the task as it is now, and writes what was decided with its event. `decide` is pure and throws to refuse; `also`
 * writes what belongs to the change, in its transaction.
 */
export async function changeTask(
  context: StoreContext,
  scope: Scope,
  taskId: number,
  actor: Actor,
  decide: (task: TaskState) => Change,
  also?: (inside: TransactionContext) => Promise<void>,
): Promise<Change> {
  const change = await inTransaction(context, async (inside) => {
    const decided = await changeWithin(inside, scope, taskId, actor, decide)
    await also?.(inside)
    return decided
  })
  context.announce('event')
  return change
}

/** The same inside a transaction of the caller, who announces the event after the commit. */
export async function changeWithin(
  inside: TransactionContext,
  scope: Scope,
  taskId: number,
  actor: Actor,
  decide: (task: TaskState) => Change,
): Promise<Change> {
  const row = await locked(inside, scope, taskId)
  const task = recordOf(inside, row)
  const decided = decide(task)
  const { statusReason, status, documentId } = decided.task
  const { externalDocId, externalSavedDocumentId } = task
  const notes: TaskNotes = { externalDocId, externalSavedDocumentId, statusReason }
  await inside.db
    .updateTable('task')
    .set({
      status,
      document_id: documentId,
      sealed_notes: sealJson(inside, notes, bindings.taskNotes(taskId)),
      ingest_at: null,
      sealed_review: null,
      updated_at: decided.event.occurredAtUtc,
    })
    .where('id', '=', taskId)
    .execute()
  await appendEvent(inside, row.organization_id, decided.event)
  inside.note({
    action: NOTED[status]!,
    by: actor,
    at: new Date(decided.event.occurredAtUtc),
    organizationId: row.organization_id,
    taskId,
  })
  return decided
}

/** What the audit log calls a change that led to the status. Received and Processing are reached without one. */
const NOTED: Partial<Record<TaskStatus, AuditAction>> = {
  Pending: 'task.present',
  Completed: 'task.sign',
  Rejected: 'task.reject',
  Retracted: 'task.retract',
  Failed: 'task.fail',
  Cancelled: 'task.cancel',
}

export interface OutcomeRecord extends OutcomeWish {
  externalSavedDocumentId: string
}

/** Records where the sender stored the outcome. An id that the organization ever used is refused for good. spec: Endpoints › Update */
export function recordOutcome(
  context: StoreContext,
  organizationId: number,
  taskId: number,
  actor: Actor,
  wish: OutcomeRecord,
  at: Date,
): Promise<void> {
  return inTransaction(context, async (inside) => {
    const task = recordOf(context, await locked(inside, { organizationId }, taskId))
    const { isArchived, isFiled } = recorded(task, wish)
    const saved_index = senderIndexes(context, organizationId).savedDocument(wish.externalSavedDocumentId)
    const { numInsertedOrUpdatedRows } = await inside.db
      .insertInto('saved_document')
      .values({ organization_id: organizationId, saved_index, task_id: taskId, recorded_at: at.toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    const problems = recordProblems(task, wish)
    if (numInsertedOrUpdatedRows === 0n)
      problems.push('externalSavedDocumentId: already used; each saved document needs an id of its own')
    if (problems.length > 0) throw new Refusal('invalid', ...problems)
    const { externalDocId, statusReason } = task
    const notes: TaskNotes = { externalDocId, statusReason, externalSavedDocumentId: wish.externalSavedDocumentId }
    await inside.db
      .updateTable('task')
      .set({
        saved_document_index: saved_index,
        is_archived: flag(isArchived),
        is_filed: flag(isFiled),
        sealed_notes: sealJson(context, notes, bindings.taskNotes(taskId)),
        updated_at: at.toISOString(),
      })
      .where('id', '=', taskId)
      .execute()
    inside.note({ action: 'task.record', by: actor, at, organizationId, taskId })
  })
}

/** The task's row, held until the transaction ends. */
async function locked(inside: TransactionContext, scope: Scope, taskId: number): Promise<RecordRow> {
  const query = inside.db.selectFrom('task').select(recordColumns).where('id', '=', taskId).where(isWithin(scope))
  const row = await (inside.locksRows ? query.forUpdate() : query).executeTakeFirst()
  if (!row) throw noSuchTask(scope, taskId)
  return row
}

async function appendEvent(
  { db, cipher }: TransactionContext,
  organizationId: number,
  event: StatusEvent,
): Promise<void> {
  await db
    .insertInto('event')
    .values({
      event_id: event.eventId,
      organization_id: organizationId,
      task_id: event.taskId,
      status: event.status,
      sealed_body: cipher.seal(JSON.stringify(event), bindings.event(event.eventId)),
      occurred_at: event.occurredAtUtc,
      is_fanned_out: 0,
    })
    .execute()
}
