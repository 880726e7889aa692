/** The outcome of a document that was in the inbox of one signer. */
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { StoreContext } from '../context.ts'
import { holding } from '../delegation/standing-in.ts'
import { SIGNER_ACTS } from '../tasks/changes.ts'
import type { SignerScope } from '../tasks/scope.ts'
import { eventsOf } from '../tasks/task-events.ts'
import { decisiveColumns, genuineTexts } from '../tasks/task-row.ts'

export interface DocumentOutcome {
  status: TaskStatus
  /** Since when. */
  at: string
  /** Whether the signer did it. */
  isOwn: boolean
  /** Name of the other signer who did it, where one signs for the other; null otherwise. */
  by: string | null
  /** The reason of a rejection, a withdrawal or a cancellation. */
  reason: string | null
}

/** Resolves with null when the document never was in the inbox of this signer. */
export async function outcomeFor(
  context: StoreContext,
  scope: SignerScope,
  taskId: number,
): Promise<DocumentOutcome | null> {
  const row = await context.db
    .selectFrom('task')
    .select(['id', 'sealedNotes', ...decisiveColumns])
    .where('id', '=', taskId)
    .where('documentId', 'is not', null)
    .executeTakeFirst()
  const texts = row && genuineTexts(context, row)
  const event = row && (await eventsOf(context, taskId)).at(-1)
  if (!row || !texts || !event) return null
  const isOwn = texts.actedBy === scope.signerNpi
  const isSeen = isOwn || row.signerNpi === scope.signerNpi || (await wasShownTo(context, scope, row, event.at))
  if (!isSeen) return null
  const by = isOwn ? null : await otherSigner(context, scope, row)
  return { status: row.status, at: event.at, isOwn, by, reason: texts.statusReason }
}

/** The delegate who acted on the task of the reader, or the signer who acted on it alongside the delegate who reads. */
async function otherSigner(
  { db }: StoreContext,
  { signerNpi: reader }: SignerScope,
  task: { id: number },
): Promise<string | null> {
  const act = await db
    .selectFrom('event as e')
    .innerJoin('provider as p', (join) =>
      join.on(({ eb, fn, ref }) => eb('p.npi', '=', fn.coalesce('e.delegateNpi', ref('e.signerNpi')))),
    )
    .select(['p.npi', 'p.signingName'])
    .where('e.taskId', '=', task.id)
    .where('e.status', 'in', SIGNER_ACTS)
    .executeTakeFirst()
  return act && act.npi !== reader ? act.signingName : null
}

/** Whether a delegate had the document in the inbox: it waits, or has waited since the delegation began. */
async function wasShownTo(
  { db }: StoreContext,
  { signerNpi: npi, standingInAt: at }: SignerScope,
  task: { signerNpi: string; routedTo: number | null; status: TaskStatus },
  endedAt: string,
): Promise<boolean> {
  if (!at) return false
  const delegation = await holding(db, at)
    .select('d.id')
    .where('d.delegateNpi', '=', npi)
    .where('d.signerNpi', '=', task.signerNpi)
    .where('d.organizationId', '=', task.routedTo)
    .where(({ eb, or, lit }) => or([lit(task.status === 'Pending'), eb('d.startsAt', '<=', endedAt)]))
    .executeTakeFirst()
  return delegation !== undefined
}
