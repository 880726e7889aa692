/** What one signer sees: documents that wait, documents that were acted on, and their kept signature. Bound to one NPI. */
import type { Patient } from '../../../lib/contract/task/patient.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import type { Preparation } from '../../../lib/pdf/prepare/preparation.ts'
import type { Actor, AuditAction } from '../../domain/audit.ts'
import type { DocumentKind } from '../../domain/task/document-kind.ts'
import type { SignaturePlace } from '../../domain/task/signature-place.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { templates } from '../directory/templates.ts'
import type { Sealed } from '../sealing/cipher.ts'
import { unindexed } from '../sql/indexes/unindexed.ts'
import { SIGNER_ACTS } from './changes.ts'
import { documents } from './documents.ts'
import { keptSignature } from './kept-signature.ts'
import { placedOf, requestOf, textsOf } from './task-row.ts'

export interface ListedDocument {
  taskId: number
  patient: Patient
  documentType: string
  /** YYYY-MM-DD */
  clinicalDate: string
  /** Name of the organization that sent it. */
  sender: string
}

export interface WaitingDocument extends ListedDocument {
  arrivedAt: string
}

export interface OpenedDocument extends WaitingDocument {
  diagnosisCode: string | null
  /** What the clinical date is on the template; null without one. */
  clinicalDateLabel: string | null
  sha256: string
  /** What was done to the document before it is shown. */
  preparations: Preparation[]
  fields: Field[]
  signaturePlace: SignaturePlace
  firstName: string
  lastName: string
  signingName: string
  /** The signer's organization that received it. */
  organization: string | null
}

export interface PastDocument extends ListedDocument {
  outcome: 'Completed' | 'Rejected'
  at: string
  /** Of a rejection; null otherwise. */
  reason: string | null
}

/** @param by the signer, for the audit log. */
export const signerInbox = (context: StoreContext, npi: string, by: Actor) => ({
  /** What waits, the oldest first, up to `limit`. */
  async waiting(limit: number): Promise<WaitingDocument[]> {
    const rows = await waitingFor(context, npi).orderBy('t.documentId').limit(limit).execute()
    return rows.map((row) => waitingDocument(context, row))
  },

  /** One that waits, with what its signer needs to sign it; null when it does not wait for this signer. */
  open: (taskId: number): Promise<OpenedDocument | null> => open(context, npi, taskId),

  /** The document as received, while it waits. */
  waitingPdf: (taskId: number, at: Date): Promise<Buffer | null> =>
    readPdf(context, { npi, by }, taskId, 'received', at),

  /** The same, to be opened or saved outside of the inbox. */
  unsignedCopy: (taskId: number, at: Date): Promise<Buffer | null> =>
    readPdf(context, { npi, by }, taskId, 'received', at, 'document.copy'),

  signedPdf: (taskId: number, at: Date): Promise<Buffer | null> => readPdf(context, { npi, by }, taskId, 'signed', at),

  /** What was signed or rejected, unless its sender has archived it, the newest first; `before` goes on after the last task of the page before. */
  past: (limit: number, before?: number): Promise<PastDocument[]> => past(context, npi, limit, before),

  ...keptSignature(context, npi),
})

const documentsOf = ({ db }: StoreContext) =>
  db
    .selectFrom('task as t')
    .innerJoin('organization as sender', 'sender.id', 't.organizationId')
    .innerJoin('documentType as type', 'type.id', 't.documentTypeId')
    .select(['t.id', 't.sealedRequest', 'sender.name as sender', 'type.name as documentType'])

const waitingFor = (context: StoreContext, npi: string) =>
  documentsOf(context)
    .innerJoin('inboxRequest as r', 'r.taskId', 't.id')
    .select('r.createdAt as arrivedAt')
    .where('t.signerNpi', '=', npi)
    .where('t.status', '=', 'Pending')

interface ListedRow {
  id: number
  sealedRequest: Sealed
  sender: string
  documentType: string
}

function listed(context: StoreContext, row: ListedRow): ListedDocument {
  const { id, sender, documentType } = row
  const { patient, effectiveDate } = requestOf(context, row)
  return { taskId: id, patient, documentType, clinicalDate: effectiveDate, sender }
}

const waitingDocument = (context: StoreContext, row: ListedRow & { arrivedAt: string }): WaitingDocument => ({
  ...listed(context, row),
  arrivedAt: row.arrivedAt,
})

async function open(context: StoreContext, npi: string, taskId: number): Promise<OpenedDocument | null> {
  const row = await waitingFor(context, npi)
    .innerJoin('provider as p', 'p.npi', 't.signerNpi')
    .innerJoin('document as d', (join) => join.onRef('d.taskId', '=', 't.id').on('d.kind', '=', 'received'))
    .leftJoin('organization as o', 'o.id', 't.routedTo')
    .select([
      't.organizationId',
      't.templateId',
      't.sealedFields',
      't.signatureRule',
      't.preparations',
      'd.sha256',
      'p.firstName',
      'p.lastName',
      'p.signingName',
      'o.name as organization',
    ])
    .where('t.id', '=', taskId)
    .executeTakeFirst()
  if (!row) return null
  const { organizationId, templateId } = row
  const template = templateId === null ? null : await templates(context, organizationId).find(templateId)
  return {
    ...waitingDocument(context, row),
    diagnosisCode: requestOf(context, row).diagnosisCode,
    clinicalDateLabel: template?.clinicalDateLabel ?? null,
    sha256: row.sha256,
    preparations: JSON.parse(row.preparations) as Preparation[],
    ...placedOf(context, row),
    firstName: row.firstName,
    lastName: row.lastName,
    signingName: row.signingName,
    organization: row.organization,
  }
}

/** The reading is audited before the PDF is handed out. */
const readPdf = (
  context: StoreContext,
  { npi, by }: { npi: string; by: Actor },
  taskId: number,
  kind: DocumentKind,
  at: Date,
  action: AuditAction = 'document.read',
): Promise<Buffer | null> =>
  inTransaction(context, async (inside) => {
    const row = await inside.db
      .selectFrom('task')
      .select('organizationId')
      .where('id', '=', taskId)
      .where('signerNpi', '=', npi)
      .where('status', '=', kind === 'signed' ? 'Completed' : 'Pending')
      .executeTakeFirst()
    const found = row && (await documents(inside).find(taskId, kind))
    if (!row || !found) return null
    if (kind === 'received') await noteShown(inside, taskId, at)
    inside.audit({ action, by, at, organizationId: row.organizationId, taskId })
    return found.pdf
  })

/** When the document was shown for the first time. */
async function noteShown({ db }: TransactionContext, taskId: number, at: Date): Promise<void> {
  const unseen = db.updateTable('inboxRequest').where('taskId', '=', taskId).where('shownAt', 'is', null)
  await unseen.set({ shownAt: at.toISOString() }).execute()
}

async function past(context: StoreContext, npi: string, limit: number, before?: number): Promise<PastDocument[]> {
  let query = documentsOf(context)
    .innerJoin('event as e', 'e.taskId', 't.id')
    .select(['e.status', 'e.occurredAt as at', 't.sealedNotes'])
    .where('e.signerNpi', '=', npi)
  if (before !== undefined)
    query = query.where('e.sequence', '<', ({ selectFrom }) =>
      // Also a task that has left the history since then says where the page before ended.
      selectFrom('event as b')
        .innerJoin('task as bt', 'bt.id', 'b.taskId')
        .where('b.taskId', '=', before)
        .where('b.status', 'in', SIGNER_ACTS)
        .where(unindexed('bt.signerNpi'), '=', npi)
        .select('b.sequence'),
    )
  const rows = await query.orderBy('e.sequence', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    ...listed(context, row),
    outcome: row.status as PastDocument['outcome'],
    at: row.at,
    reason: row.status === 'Rejected' ? textsOf(context, row).statusReason : null,
  }))
}
