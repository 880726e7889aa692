/**
 * The only place that writes the status of a task: the row, its event and its audit entry in one transaction, so
 * that there is none without the others. What is written was decided above; the store decides nothing.
 */
import type { Transaction, Updateable } from 'kysely'
import type { StatusEvent } from '../../../lib/contract/event.ts'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { Actor } from '../../domain/audit.ts'
import type { TaskChange, TaskState } from '../../domain/task/task.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import { flag } from '../sql/flag.ts'
import { later } from '../sql/later.ts'
import type { Schema } from '../sql/schema.ts'
import { delegateOf, isWithin, noSuchTask, type Scope } from './scope.ts'
import {
  genuineTexts,
  type StoredTask,
  sealTexts,
  type TaskRow,
  type TaskTexts,
  taskColumns,
  taskOf,
} from './task-row.ts'

/**
 * Further columns of the task; whose it is never changes. Unless they say otherwise, a lease and an open review end with the change, and a decision
 * that could be undone ends with the task.
 */
type Columns = Omit<Updateable<Schema['task']>, 'organizationId' | 'signerNpi'>

export interface Plan<Found, Decided extends TaskChange> {
  scope: Scope
  taskId: number
  actor: Actor
  /** The task's row, where the caller holds it already. */
  held?: TaskRow
  /** Reads, or takes, what the decision needs besides the task, whose row is held already. */
  find?(inside: TransactionContext): Promise<Found>
  /** Pure. Decides on the task as it is now, and throws to refuse. */
  decide(task: TaskState, found: Found): Decided
  /** Writes what belongs to the change, before the task itself. */
  also?(inside: TransactionContext, decided: Decided, found: Found): Promise<Columns>
  /** Returns what the audit log keeps of the decision. A delegate's act keeps for whom it was instead. */
  subject?(decided: Decided, columns: Columns): string
}

/** Refuses with `notFound` when the scope does not hold the task. */
export const changeTask = <Decided extends TaskChange, Found = undefined>(
  context: StoreContext,
  plan: Plan<Found, Decided>,
): Promise<Decided> => inTransaction(context, (inside) => changeWithin(inside, plan))

/** The same inside a transaction of the caller. */
export async function changeWithin<Decided extends TaskChange, Found = undefined>(
  inside: TransactionContext,
  { scope, taskId, actor, held, find, decide, also, subject: subjectOf }: Plan<Found, Decided>,
): Promise<Decided> {
  const row = held ?? (await locked(inside, scope, taskId))
  const task = taskOf(inside, row)
  if (!task) throw noSuchTask(scope, taskId)
  const found = (await find?.(inside)) as Found
  const decided = decide(task, found)
  const columns = (await also?.(inside, decided, found)) ?? {}
  const { at, event, action } = decided
  const isAct = event && SIGNER_ACTS.includes(event.status) && actor.kind === 'signer'
  const actedBy = isAct ? actor.id : (genuineTexts(inside, row)?.actedBy ?? null)
  await write(inside, { row, task, actedBy }, decided, columns)
  const organizationId = row.organizationId
  const delegateNpi = delegateOf(scope, row.signerNpi)
  if (event) {
    await appendEvent(inside, { organizationId, delegateNpi }, event)
    inside.announce('event')
  }
  const subject = delegateNpi === null ? subjectOf?.(decided, columns) : row.signerNpi
  if (action) inside.audit({ action, by: actor, at, organizationId, taskId, subject })
  return decided
}

/** The task's row, held until the transaction ends. */
async function locked(inside: TransactionContext, scope: Scope, taskId: number): Promise<TaskRow> {
  const query = inside.db.selectFrom('task').select(taskColumns).where('id', '=', taskId).where(isWithin(scope))
  const row = await (inside.locksRows ? query.forUpdate() : query).executeTakeFirst()
  if (!row) throw noSuchTask(scope, taskId)
  return row
}

async function write(
  inside: TransactionContext,
  { row, task: { id, externalDocId }, actedBy }: { row: TaskRow; task: StoredTask; actedBy: string | null },
  { task, at }: TaskChange,
  columns: Columns,
): Promise<void> {
  const { routedTo = row.routedTo } = columns
  const { status, documentId } = task
  const { statusReason, externalSavedDocumentId } = task
  const texts: TaskTexts = { externalDocId, statusReason, externalSavedDocumentId }
  const update = (inside.db as unknown as Transaction<WithStatus>)
    .updateTable('task')
    .set({
      ingestAt: null,
      sealedReview: null,
      ...(CAN_REOPEN.includes(status) ? {} : { sealedDecision: null }),
      ...columns,
      status,
      documentId,
      isArchived: flag(task.isArchived),
      isFiled: flag(task.isFiled),
      sealedNotes: sealTexts(inside, { ...row, routedTo, status, documentId }, texts, actedBy),
      updatedAt: at.toISOString(),
    })
    .where('id', '=', id)
  await later(inside.db, update)
}

/** The statuses in which the decision of a review is kept, to be undone. */
const CAN_REOPEN: readonly TaskStatus[] = ['Processing', 'Pending']

/** The schema lets no one set a status; here it does. */
type WithStatus = Omit<Schema, 'task'> & { task: Omit<Schema['task'], 'status'> & { status: TaskStatus } }

async function appendEvent(
  { db, cipher }: TransactionContext,
  { organizationId, delegateNpi }: { organizationId: number; delegateNpi: string | null },
  event: StatusEvent,
): Promise<void> {
  const insert = db.insertInto('event').values(({ selectFrom }) => ({
    eventId: event.eventId,
    organizationId,
    taskId: event.taskId,
    status: event.status,
    sealedBody: cipher.seal(JSON.stringify(event), bindings.event(event.eventId, organizationId)),
    occurredAt: event.occurredAtUtc,
    isFannedOut: 0,
    signerNpi: SIGNER_ACTS.includes(event.status)
      ? selectFrom('task').select('signerNpi').where('id', '=', event.taskId)
      : null,
    delegateNpi,
  }))
  await later(db, insert)
}

/** The acts that the signer's history lists. */
export const SIGNER_ACTS: readonly TaskStatus[] = ['Completed', 'Rejected']
