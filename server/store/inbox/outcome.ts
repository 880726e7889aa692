/** What became of a document that was in the inbox of one signer. */
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { StoreContext } from '../context.ts'
import { eventsOf } from '../tasks/task-events.ts'
import { textsOf } from '../tasks/task-row.ts'

export interface DocumentOutcome {
  status: TaskStatus
  /** Since when. */
  at: string
  /** Whether the signer did it. */
  isOwn: boolean
  /** Of a rejection, a withdrawal or a cancellation. */
  reason: string | null
}

/** Resolves with null when the document never was in the inbox of this signer. */
export async function outcomeFor(context: StoreContext, npi: string, taskId: number): Promise<DocumentOutcome | null> {
  const row = await context.db
    .selectFrom('task')
    .select(['id', 'status', 'sealedNotes'])
    .where('id', '=', taskId)
    .where('signerNpi', '=', npi)
    .where('documentId', 'is not', null)
    .executeTakeFirst()
  const event = row && (await eventsOf(context, taskId)).at(-1)
  if (!row || !event) return null
  return {
    status: row.status,
    at: event.at,
    isOwn: await wasDoneBy(context, npi, taskId),
    reason: textsOf(context, row).statusReason,
  }
}

async function wasDoneBy({ db }: StoreContext, npi: string, taskId: number): Promise<boolean> {
  const act = await db
    .selectFrom('audit')
    .select(['actor', 'actorId'])
    .where('taskId', '=', taskId)
    .where('action', 'in', ['task.sign', 'task.reject'])
    .where('outcome', '=', 'done')
    .executeTakeFirst()
  return act?.actor === 'signer' && act.actorId === npi
}
