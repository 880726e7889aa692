/** What one signer sees: documents that wait, documents that were acted on, and their kept signature. Bound to one NPI. */
import type { Patient } from '../../../lib/contract/task/patient.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import type { Preparation } from '../../../lib/pdf/prepare/preparation.ts'
import type { Actor } from '../../domain/audit.ts'
import type { DocumentKind } from '../../domain/task/document-kind.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import { openJson } from '../sealing/sealed-json.ts'
import { documents } from './documents.ts'
import type { TaskRequest } from './task-row.ts'

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
  sha256: string
  /** What was done to the document before it is shown. */
  preparations: Preparation[]
  fields: Field[]
  signingName: string
  /** The signer's organization that received it. */
  organization: string | null
}

export interface PastDocument extends ListedDocument {
  outcome: 'Completed' | 'Rejected'
  at: string
}

/** @param by the signer, for the audit log. */
export function signerInbox(context: StoreContext, npi: string, by: Actor) {
  const { db, cipher } = context
  const mine = () =>
    db
      .selectFrom('task as t')
      .innerJoin('organization as sender', 'sender.id', 't.organizationId')
      .innerJoin('documentType as type', 'type.id', 't.documentTypeId')
      .select(['t.id', 't.sealedRequest', 'sender.name as sender', 'type.name as documentType'])
      .where('t.signerNpi', '=', npi)
  const waiting = () =>
    mine()
      .innerJoin('inboxRequest as r', 'r.taskId', 't.id')
      .select('r.createdAt as arrivedAt')
      .where('t.status', '=', 'Pending')

  function listed(row: { id: number; sealedRequest: Uint8Array; sender: string; documentType: string }) {
    const { patient, effectiveDate } = openJson<TaskRequest>(context, row.sealedRequest, bindings.taskRequest(row.id))
    const { sender, documentType } = row
    return { taskId: row.id, patient, documentType, clinicalDate: effectiveDate, sender }
  }

  /** The reading is audited before the PDF is handed out. */
  const readPdf = (taskId: number, kind: DocumentKind, at: Date): Promise<Buffer | null> =>
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
      inside.audit({ action: 'document.read', by, at, organizationId: row.organizationId, taskId })
      return found.pdf
    })

  return {
    /** What waits, the oldest first. */
    async waiting(): Promise<WaitingDocument[]> {
      const rows = await waiting().orderBy('r.id').execute()
      return rows.map((row) => ({ ...listed(row), arrivedAt: row.arrivedAt }))
    },

    async open(taskId: number): Promise<OpenedDocument | null> {
      const row = await waiting()
        .innerJoin('provider as p', 'p.npi', 't.signerNpi')
        .innerJoin('document as d', (join) => join.onRef('d.taskId', '=', 't.id').on('d.kind', '=', 'received'))
        .leftJoin('organization as o', 'o.id', 't.routedTo')
        .select(['t.sealedFields', 't.preparations', 'd.sha256', 'p.signingName', 'o.name as organization'])
        .where('t.id', '=', taskId)
        .executeTakeFirst()
      if (!row) return null
      const { arrivedAt, sha256, signingName, organization } = row
      const fields = row.sealedFields ? openJson<Field[]>(context, row.sealedFields, bindings.taskFields(taskId)) : []
      const preparations = JSON.parse(row.preparations) as Preparation[]
      return { ...listed(row), arrivedAt, sha256, preparations, fields, signingName, organization }
    },

    /** The document as received, while it waits. */
    waitingPdf: (taskId: number, at: Date) => readPdf(taskId, 'received', at),

    signedPdf: (taskId: number, at: Date) => readPdf(taskId, 'signed', at),

    /** What was signed or rejected, the newest first; `before` goes on after the last task of the page before. */
    async past(limit: number, before?: number): Promise<PastDocument[]> {
      let query = mine()
        .innerJoin('event as e', (join) => join.onRef('e.taskId', '=', 't.id').onRef('e.status', '=', 't.status'))
        .select(['t.status', 'e.occurredAt as at'])
        .where('t.status', 'in', ['Completed', 'Rejected'])
      if (before !== undefined)
        query = query.where('e.sequence', '<', ({ selectFrom }) =>
          selectFrom('event as b')
            .innerJoin('task as bt', 'bt.id', 'b.taskId')
            .whereRef('b.status', '=', 'bt.status')
            .where('b.taskId', '=', before)
            .select('b.sequence'),
        )
      const rows = await query.orderBy('e.sequence', 'desc').limit(limit).execute()
      return rows.map((row) => ({ ...listed(row), outcome: row.status as PastDocument['outcome'], at: row.at }))
    },

    /** The kept signature as PNG, or null. */
    async signature(): Promise<Buffer | null> {
      const row = await db.selectFrom('savedSignature').select('sealed').where('npi', '=', npi).executeTakeFirst()
      return row ? cipher.open(row.sealed, bindings.signature(npi)) : null
    },

    async keepSignature(png: Uint8Array, at: Date): Promise<void> {
      const kept = { sealed: cipher.seal(png, bindings.signature(npi)), updatedAt: at.toISOString() }
      await db
        .insertInto('savedSignature')
        .values({ npi, ...kept })
        .onConflict((conflict) => conflict.column('npi').doUpdateSet(kept))
        .execute()
    },

    async forgetSignature(): Promise<void> {
      await db.deleteFrom('savedSignature').where('npi', '=', npi).execute()
    },
  }
}
