/** What signing needs of the store: the document that waits for its signer, and the signed one in its place. Not bound to one signer. */
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import type { Preparation } from '../../../lib/pdf/prepare/preparation.ts'
import type { Actor } from '../../domain/audit.ts'
import type { TaskChange, TaskState } from '../../domain/task/task.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import type { SignerScript } from '../directory/providers.ts'
import { bindings } from '../sealing/bindings.ts'
import { openJson } from '../sealing/sealed-json.ts'
import { changeTask } from './changes.ts'
import { documents } from './documents.ts'
import { isWithin, type Scope } from './scope.ts'

export interface PendingDocument {
  taskId: number
  documentId: number
  signerNpi: string
  signerName: string
  organization: string | null
  fields: Field[]
  pdf: Buffer
  sha256: string
  /** Of the document as it was sent, before it was prepared. */
  receivedSha256: string
  preparations: Preparation[]
  events: { eventId: string; status: string; at: string }[]
}

export interface SignedDocument {
  pdf: Uint8Array
  sha256: string
}

/** What the audit log calls it. */
const NOT_SEALED = { unlikeShown: 'document.differ', sealInvalid: 'seal.fail' } as const

export function signing(context: StoreContext) {
  const { db } = context
  return {
    /** The document of a task that is Pending, or null. */
    async find(scope: Scope, taskId: number): Promise<PendingDocument | null> {
      const row = await db
        .selectFrom('task as t')
        .innerJoin('provider as p', 'p.npi', 't.signerNpi')
        .leftJoin('organization as o', 'o.id', 't.routedTo')
        .select([
          't.id',
          't.documentId',
          't.signerNpi',
          't.sealedFields',
          't.receivedSha256',
          't.preparations',
          'p.signingName',
          'o.name as organization',
        ])
        .where('t.id', '=', taskId)
        .where('t.status', '=', 'Pending')
        .where(isWithin(scope, 't'))
        .executeTakeFirst()
      const received = row && (await documents(context).find(taskId, 'received'))
      if (!row || !received || row.documentId === null) return null
      const events = await db
        .selectFrom('event')
        .select(['eventId', 'status', 'occurredAt as at'])
        .where('taskId', '=', taskId)
        .orderBy('sequence')
        .execute()
      return {
        taskId,
        documentId: row.documentId,
        signerNpi: row.signerNpi,
        signerName: row.signingName,
        organization: row.organization,
        fields:
          row.sealedFields === null ? [] : openJson<Field[]>(context, row.sealedFields, bindings.taskFields(taskId)),
        ...received,
        receivedSha256: row.receivedSha256,
        preparations: JSON.parse(row.preparations) as Preparation[],
        events,
      }
    },

    /** A change with the signed document in its transaction. */
    sign: (
      scope: Scope,
      taskId: number,
      actor: Actor,
      { pdf, sha256 }: SignedDocument,
      decide: (task: TaskState) => TaskChange,
    ): Promise<TaskChange> =>
      changeTask(context, {
        scope,
        taskId,
        actor,
        decide,
        async also(inside, { at }) {
          await documents(inside).insert(taskId, 'signed', pdf, sha256, at)
          return {}
        },
      }),

    /** Records in the audit log that nothing was sealed, although the signer signed. The task stays Pending. */
    auditNotSealed: (taskId: number, why: keyof typeof NOT_SEALED, actor: Actor, at: Date): Promise<void> =>
      inTransaction(context, async ({ db, audit }) => {
        const task = await db.selectFrom('task').select('organizationId').where('id', '=', taskId).executeTakeFirst()
        const organizationId = task?.organizationId ?? null
        audit({ action: NOT_SEALED[why], outcome: 'refused', by: actor, at, organizationId, taskId })
      }),

    /** Tasks that wait for demo signers who act by themselves, with the time since when they wait. */
    async waitingForScripts(): Promise<{ taskId: number; script: SignerScript; since: Date }[]> {
      const rows = await db
        .selectFrom('task as t')
        .innerJoin('provider as p', 'p.npi', 't.signerNpi')
        .innerJoin('inboxRequest as r', 'r.taskId', 't.id')
        .select(['t.id', 'p.script', 'r.createdAt'])
        .where('t.status', '=', 'Pending')
        .where('p.script', 'is not', null)
        .execute()
      return rows.map((row) => ({
        taskId: row.id,
        script: JSON.parse(row.script!) as SignerScript,
        since: new Date(row.createdAt),
      }))
    },
  }
}
