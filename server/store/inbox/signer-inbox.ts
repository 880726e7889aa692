/**
 * The inbox of one signer: pending documents, also those of signers that this one signs for, past documents, and the saved
 * signature. Bound to one NPI.
 */
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { isDrawn, type Preparation } from '../../../lib/pdf/prepare/preparation.ts'
import type { Actor, TaskAction } from '../../domain/audit.ts'
import type { SignaturePlace } from '../../domain/task/signature-place.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { stoodInFor } from '../delegation/standing-in.ts'
import { templates } from '../directory/templates.ts'
import { documents } from '../tasks/documents.ts'
import { delegateOf, isWithin, type SignerScope } from '../tasks/scope.ts'
import { decisiveColumns, genuineTexts, placedOf, requestOf } from '../tasks/task-row.ts'
import { keptSignature } from './kept-signature.ts'
import { documentsOf, type ListedDocument, listed, type OpenedRow } from './listed-document.ts'
import { type PastDocument, pastDocuments, signedPdf } from './past-documents.ts'

export interface WaitingDocument extends ListedDocument {
  arrivedAt: string
  /** The signer whose document it is, where that is another person; null otherwise. */
  onBehalfOf: string | null
}

export interface OpenedDocument extends WaitingDocument {
  diagnosisCode: string | null
  /** The template's label of the clinical date; null without one. */
  clinicalDateLabel: string | null
  sha256: string
  /** The digest of the document as it was received, before it was prepared. */
  receivedSha256: string
  /** The changes made to the document before it is shown. */
  preparations: Preparation[]
  fields: Field[]
  signaturePlace: SignaturePlace
  firstName: string
  lastName: string
  signingName: string
  /** The signer's organization that received it. */
  organization: string | null
}

/** @param by the signer, for the audit log. */
export const signerInbox = (context: StoreContext, scope: SignerScope, by: Actor) => ({
  /** Returns pending documents, the oldest first, up to `limit`. */
  async waiting(limit: number): Promise<WaitingDocument[]> {
    const owners = await ownersOf(context, scope)
    const rows = await waitingFor(context, scope, owners).orderBy('t.documentId').limit(limit).execute()
    return rows.flatMap((row) => {
      const texts = genuineTexts(context, row)
      return texts ? [waitingDocument(context, scope, { ...row, ...texts })] : []
    })
  },

  /** One that waits, with what its signer needs to sign it; null when it does not wait for this signer. */
  open: (taskId: number): Promise<OpenedDocument | null> => open(context, scope, taskId),

  /**
   * Returns the document as it is shown and sealed, while it waits.
   * @param at when it is read, for the audit log; null where this reading is in it already, as for the further pages of a document
   */
  waitingPdf: (taskId: number, at: Date | null): Promise<Buffer | null> =>
    waitingPdf(context, { scope, by }, taskId, at, 'document.read'),

  /** The same, to be opened or saved outside of the inbox. */
  unsignedCopy: (taskId: number, at: Date): Promise<Buffer | null> =>
    waitingPdf(context, { scope, by }, taskId, at, 'document.copy'),

  /** @param at as for `waitingPdf` */
  signedPdf: (taskId: number, at: Date | null): Promise<Buffer | null> =>
    signedPdf(context, scope.signerNpi, by, taskId, at),

  /** Returns whether the pages of a document that the signer reads were converted to pictures. */
  async isDrawn(taskId: number): Promise<boolean> {
    const query = context.db.selectFrom('task').select('preparations').where('id', '=', taskId)
    const { preparations } = await query.executeTakeFirstOrThrow()
    return isDrawn(JSON.parse(preparations) as Preparation[])
  },

  /**
   * Returns signed and rejected documents, unless their sender has archived them, the newest first; `before` continues after
   * the last task of the page before.
   */
  past: (limit: number, before?: number): Promise<PastDocument[]> =>
    pastDocuments(context, scope.signerNpi, limit, before),

  ...keptSignature(context, scope.signerNpi),
})

/** Returns the signers whose documents may wait for a signer: the few that a list begins with. The scope decides which do. */
async function ownersOf(context: StoreContext, { signerNpi: npi, standingInAt: at }: SignerScope): Promise<string[]> {
  return [npi, ...(at ? await stoodInFor(context.db, { npi, at }) : [])]
}

const waitingFor = (context: StoreContext, scope: SignerScope, owners: readonly string[]) =>
  documentsOf(context)
    .innerJoin('inboxRequest as r', 'r.taskId', 't.id')
    .innerJoin('provider as owner', 'owner.npi', 't.signerNpi')
    .select(['r.createdAt as arrivedAt', 'owner.signingName as ownerName'])
    .where('t.signerNpi', 'in', owners)
    .where(isWithin(scope, 't'))
    .where('t.status', '=', 'Pending')

type WaitingRow = OpenedRow & { arrivedAt: string; ownerName: string }

const waitingDocument = (context: StoreContext, scope: SignerScope, row: WaitingRow): WaitingDocument => ({
  ...listed(context, row),
  arrivedAt: row.arrivedAt,
  onBehalfOf: delegateOf(scope, row.signerNpi) === null ? null : row.ownerName,
})

async function open(context: StoreContext, scope: SignerScope, taskId: number): Promise<OpenedDocument | null> {
  const row = await waitingFor(context, scope, await ownersOf(context, scope))
    .innerJoin('provider as p', (join) => join.on('p.npi', '=', scope.signerNpi))
    .innerJoin('document as d', (join) => join.onRef('d.taskId', '=', 't.id').on('d.kind', '=', 'received'))
    .leftJoin('organization as o', 'o.id', 't.routedTo')
    .select([
      't.templateId',
      't.sealedFields',
      't.signatureRule',
      't.preparations',
      't.receivedSha256',
      'd.sha256',
      'p.firstName',
      'p.lastName',
      'p.signingName',
      'o.name as organization',
    ])
    .where('t.id', '=', taskId)
    .executeTakeFirst()
  const texts = row && genuineTexts(context, row)
  if (!row || !texts) return null
  const { organizationId, templateId } = row
  const template = templateId === null ? null : await templates(context, organizationId).find(templateId)
  return {
    ...waitingDocument(context, scope, { ...row, ...texts }),
    diagnosisCode: requestOf(context, row).diagnosisCode,
    clinicalDateLabel: template?.clinicalDateLabel ?? null,
    sha256: row.sha256,
    receivedSha256: row.receivedSha256,
    preparations: JSON.parse(row.preparations) as Preparation[],
    ...placedOf(context, row),
    firstName: row.firstName,
    lastName: row.lastName,
    signingName: row.signingName,
    organization: row.organization,
  }
}

/** Returns a document that waits. The reading is audited before the PDF is handed out. */
const waitingPdf = (
  context: StoreContext,
  { scope, by }: { scope: SignerScope; by: Actor },
  taskId: number,
  at: Date | null,
  action: TaskAction,
): Promise<Buffer | null> =>
  inTransaction(context, async (inside) => {
    const row = await inside.db
      .selectFrom('task')
      .select(['id', 'sealedNotes', ...decisiveColumns])
      .where('id', '=', taskId)
      .where(isWithin(scope))
      .where('status', '=', 'Pending')
      .executeTakeFirst()
    if (!row || !genuineTexts(inside, row)) return null
    const found = await documents(inside).find(taskId, 'received')
    if (!found) return null
    if (!at) return found.pdf
    await noteShown(inside, taskId, at)
    const subject = delegateOf(scope, row.signerNpi) === null ? undefined : row.signerNpi
    inside.audit({ action, by, at, organizationId: row.organizationId, taskId, subject })
    return found.pdf
  })

/** When the document was shown for the first time. */
async function noteShown({ db }: TransactionContext, taskId: number, at: Date): Promise<void> {
  const unseen = db.updateTable('inboxRequest').where('taskId', '=', taskId).where('shownAt', 'is', null)
  await unseen.set({ shownAt: at.toISOString() }).execute()
}
