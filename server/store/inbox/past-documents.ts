/**
 * Lists the documents that a signer has signed or rejected, and those that a delegate did for the signer. They stay in the
 * history of both.
 */
import type { Actor } from '../../domain/audit.ts'
import { signerSentence } from '../../domain/task/story.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { unindexed } from '../sql/indexes/unindexed.ts'
import { SIGNER_ACTS } from '../tasks/changes.ts'
import { documents } from '../tasks/documents.ts'
import { signersOf } from '../tasks/story-facts.ts'
import { type BoundRow, decisiveOf, genuineTexts } from '../tasks/task-row.ts'
import { documentsOf, type ListedDocument, listed } from './listed-document.ts'

export interface PastDocument extends ListedDocument {
  outcome: 'Completed' | 'Rejected'
  at: string
  /** The reason of a rejection; null otherwise. */
  reason: string | null
  /** The signer for whom it was done, where the reader is the delegate; null otherwise. */
  onBehalfOf: string | null
  /** The delegate who did it, where the reader is the signer; null otherwise. */
  doneBy: string | null
  /** Who signed or rejected it, for whom. */
  sentence: string
}

/** The owner of a history: a column of the event for each of the two, which has an index. */
type Side = 'signerNpi' | 'delegateNpi'

export async function pastDocuments(
  context: StoreContext,
  npi: string,
  limit: number,
  before?: number,
): Promise<PastDocument[]> {
  const own = await pageOf(context, 'signerNpi', npi, limit, before)
  const forOthers = await pageOf(context, 'delegateNpi', npi, limit, before)
  const known = (row: (typeof own)[number], side: Side) => {
    const texts = genuineTexts(context, row)
    if (!texts || !isOf(row, texts, side, npi)) return []
    const isOwn = side === 'signerNpi'
    const { statusReason, externalDocId } = texts
    return [
      {
        ...row,
        statusReason,
        externalDocId,
        onBehalfOf: isOwn ? null : row.ownerName,
        doneBy: isOwn ? row.delegateName : null,
      },
    ]
  }
  const rows = [
    ...own.flatMap((row) => known(row, 'signerNpi')),
    ...forOthers.flatMap((row) => known(row, 'delegateNpi')),
  ]
  const page = rows.sort((a, b) => b.sequence - a.sequence).slice(0, limit)
  const signers = await signersOf(
    context,
    page.map(({ id }) => id),
  )
  return page.map((row) => {
    const owner = { npi: row.signerNpi, name: row.ownerName ?? `NPI ${row.signerNpi}` }
    const by = signers.get(row.id)
    return {
      ...listed(context, row),
      outcome: row.outcome as PastDocument['outcome'],
      at: row.at,
      reason: row.outcome === 'Rejected' ? row.statusReason : null,
      onBehalfOf: row.onBehalfOf,
      doneBy: row.doneBy,
      sentence: by ? signerSentence(row.outcome === 'Completed' ? 'Signed' : 'Rejected', by, owner) : '',
    }
  })
}

/** Whether a task is in the history of one who acts: columns of the event, which are not encrypted, only find it. */
const isOf = ({ signerNpi }: BoundRow, { actedBy }: { actedBy: string | null }, side: Side, npi: string) =>
  side === 'signerNpi' ? signerNpi === npi : actedBy === npi

function pageOf(context: StoreContext, side: Side, npi: string, limit: number, before: number | undefined) {
  let query = documentsOf(context)
    .innerJoin('event as e', 'e.taskId', 't.id')
    .leftJoin('provider as owner', 'owner.npi', 'e.signerNpi')
    .leftJoin('provider as delegate', 'delegate.npi', 'e.delegateNpi')
    .select(['e.sequence', 'e.status as outcome', 'e.occurredAt as at'])
    .select(['owner.signingName as ownerName', 'delegate.signingName as delegateName'])
    .where(`e.${side}`, '=', npi)
  if (before !== undefined)
    query = query.where('e.sequence', '<', ({ selectFrom }) =>
      // Also a task that has left the history since then says where the page before ended.
      selectFrom('event as b')
        .innerJoin('task as bt', 'bt.id', 'b.taskId')
        .where('b.taskId', '=', before)
        .where('b.status', 'in', SIGNER_ACTS)
        .where(({ eb, or }) => or([eb(unindexed('bt.signerNpi'), '=', npi), eb(unindexed('b.delegateNpi'), '=', npi)]))
        .select('b.sequence'),
    )
  return query.orderBy('e.sequence', 'desc').limit(limit).execute()
}

/** Returns the document as signed, for its signer and for the delegate who signed it. The reading is audited first. */
export const signedPdf = (
  context: StoreContext,
  npi: string,
  by: Actor,
  taskId: number,
  at: Date | null,
): Promise<Buffer | null> =>
  inTransaction(context, async (inside) => {
    const row = await inside.db
      .selectFrom('task as t')
      .select(['t.id', 't.sealedNotes', ...decisiveOf('t')])
      .where('t.id', '=', taskId)
      .where('t.status', '=', 'Completed')
      .where(({ eb, or, exists, selectFrom }) =>
        or([
          eb('t.signerNpi', '=', npi),
          exists(
            selectFrom('event as e')
              .select('e.sequence')
              .where('e.taskId', '=', taskId)
              .where(unindexed('e.delegateNpi'), '=', npi),
          ),
        ]),
      )
      .executeTakeFirst()
    const texts = row && genuineTexts(inside, row)
    if (!row || !texts || !(isOf(row, texts, 'signerNpi', npi) || isOf(row, texts, 'delegateNpi', npi))) return null
    const found = await documents(inside).find(taskId, 'signed')
    if (!found) return null
    if (at) inside.audit({ action: 'document.read', by, at, organizationId: row.organizationId, taskId })
    return found.pdf
  })
