/** The part of the store for signing: the pending document, and the signed one in its place. Not bound to one signer. */
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import type { Preparation } from '../../../lib/pdf/prepare/preparation.ts'
import type { Actor } from '../../domain/audit.ts'
import { type ShownPatient, shownPatient } from '../../domain/task/shown-patient.ts'
import type { SignaturePlace } from '../../domain/task/signature-place.ts'
import type { TaskChange, TaskState } from '../../domain/task/task.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import type { SignerScript } from '../directory/providers.ts'
import { changeTask } from './changes.ts'
import { documents, documentsInside, layDown } from './documents.ts'
import { delegateOf, isWithin, type Scope } from './scope.ts'
import { eventsOf, type TaskEvent } from './task-events.ts'
import { decisiveOf, genuineTexts, placedOf, requestOf } from './task-row.ts'

export interface PendingDocument {
  taskId: number
  documentId: number
  /** Who signs: the one to whom it was sent, or who signs for that signer. */
  signer: { npi: string; name: string }
  /** The signer whose document it is, where another person signs it; null otherwise. */
  onBehalfOf: { npi: string; name: string } | null
  organization: string | null
  documentType: string
  sender: { name: string; npi: string | null }
  /** The id that the sender gave. */
  externalDocId: string
  patient: ShownPatient
  /** ISO 8601, UTC. */
  receivedAt: string
  /** When the signer first opened it; null before that. */
  shownAt: string | null
  signaturePlace: SignaturePlace
  fields: Field[]
  pdf: Buffer
  sha256: string
  /** The digest of the document as it was sent, before it was prepared. */
  receivedSha256: string
  preparations: Preparation[]
  /** Its status changes, in order. */
  events: TaskEvent[]
}

export interface ScriptedTask {
  taskId: number
  organizationId: number
  signerNpi: string
  /** The signer's own; null for one who is asked for by NPI and has none. */
  script: SignerScript | null
  since: Date
}

export interface SignedDocument {
  pdf: Uint8Array
  sha256: string
  at: Date
  /** Content of the signature; null or omitted for signers who do not look at the document. */
  content?: string | null
}

/** The action in the audit log. */
const NOT_SEALED = { unlikeShown: 'document.differ', sealInvalid: 'seal.fail' } as const

export const signing = (context: StoreContext) => ({
  /** The document of a task that is Pending, or null. */
  find: (scope: Scope, taskId: number): Promise<PendingDocument | null> => find(context, scope, taskId),

  /** Keeps the signed document, in the transaction of the change. */
  async sign(
    scope: Scope,
    taskId: number,
    actor: Actor,
    signed: SignedDocument,
    decide: (task: TaskState) => TaskChange,
  ): Promise<TaskChange> {
    const document = await layDown(context, signed, signed.at)
    return changeTask(context, {
      scope,
      taskId,
      actor,
      decide,
      async also(inside, { at }) {
        await documentsInside(inside).insert(taskId, 'signed', document, at, signed.content)
        return {}
      },
    })
  },

  /** Whether a task in the scope is Completed, and was signed with exactly this content by whose scope it is. */
  async wasSignedWith(scope: Scope, taskId: number, content: string): Promise<boolean> {
    const completed = await context.db
      .selectFrom('task')
      .innerJoin('event', 'event.taskId', 'task.id')
      .select(['task.id', 'task.sealedNotes', ...decisiveOf('task'), 'event.delegateNpi'])
      .where('task.id', '=', taskId)
      .where('task.status', '=', 'Completed')
      .where('event.status', '=', 'Completed')
      .where(isWithin(scope))
      .executeTakeFirst()
    if (!completed || !genuineTexts(context, completed)) return false
    if (completed.delegateNpi !== delegateOf(scope, completed.signerNpi)) return false
    return documents(context).wasSignedWith(taskId, content)
  },

  /** Records in the audit log that nothing was sealed, although the signer signed. The task stays Pending. */
  auditNotSealed: (taskId: number, why: keyof typeof NOT_SEALED, actor: Actor, at: Date): Promise<void> =>
    inTransaction(context, async ({ db, audit }) => {
      const task = await db.selectFrom('task').select('organizationId').where('id', '=', taskId).executeTakeFirst()
      const organizationId = task?.organizationId ?? null
      audit({ action: NOT_SEALED[why], outcome: 'refused', by: actor, at, organizationId, taskId })
    }),

  /** Tasks that wait for demo signers who act by themselves, or for these signers, with the time since when they wait. */
  waitingForScripts: (alsoFor: readonly string[]): Promise<ScriptedTask[]> => waitingForScripts(context, alsoFor),
})

async function find(context: StoreContext, scope: Scope, taskId: number): Promise<PendingDocument | null> {
  const row = await context.db
    .selectFrom('task as t')
    .innerJoin('provider as p', 'p.npi', 't.signerNpi')
    .innerJoin('organization as s', 's.id', 't.organizationId')
    .innerJoin('documentType as d', 'd.id', 't.documentTypeId')
    .innerJoin('inboxRequest as r', 'r.taskId', 't.id')
    .leftJoin('organization as o', 'o.id', 't.routedTo')
    .select(['t.id', 't.sealedNotes', ...decisiveOf('t'), 't.sealedFields', 't.signatureRule', 't.receivedSha256'])
    .select(['t.preparations', 't.sealedRequest', 't.createdAt', 'r.shownAt'])
    .select(['p.signingName', 'o.name as organization', 's.name as senderName', 's.npi as senderNpi'])
    .select('d.name as documentType')
    .where('t.id', '=', taskId)
    .where('t.status', '=', 'Pending')
    .where(isWithin(scope, 't'))
    .executeTakeFirst()
  const texts = row && genuineTexts(context, row)
  const received = texts && (await documents(context).find(taskId, 'received'))
  if (!row || !texts || !received || row.documentId === null) return null
  return {
    taskId,
    documentId: row.documentId,
    ...(await signerOf(context, scope, { npi: row.signerNpi, name: row.signingName })),
    organization: row.organization,
    documentType: row.documentType,
    sender: { name: row.senderName, npi: row.senderNpi },
    externalDocId: texts.externalDocId,
    patient: shownPatient(requestOf(context, row).patient),
    receivedAt: row.createdAt,
    shownAt: row.shownAt,
    ...placedOf(context, row),
    ...received,
    receivedSha256: row.receivedSha256,
    preparations: JSON.parse(row.preparations) as Preparation[],
    events: await eventsOf(context, taskId),
  }
}

/** In whose name a document of a signer is signed within the scope. */
async function signerOf(
  { db }: StoreContext,
  scope: Scope,
  owner: PendingDocument['signer'],
): Promise<Pick<PendingDocument, 'signer' | 'onBehalfOf'>> {
  const npi = delegateOf(scope, owner.npi)
  if (npi === null) return { signer: owner, onBehalfOf: null }
  const delegate = db.selectFrom('provider').select('signingName').where('npi', '=', npi)
  const { signingName: name } = await delegate.executeTakeFirstOrThrow()
  return { signer: { npi, name }, onBehalfOf: owner }
}

/** Looks tasks up by their signers, because far more tasks may wait for others. */
async function waitingForScripts({ db }: StoreContext, alsoFor: readonly string[]): Promise<ScriptedTask[]> {
  const signers = await db.selectFrom('provider').select(['npi', 'script']).where('script', 'is not', null).execute()
  const scripts = new Map(signers.map(({ npi, script }) => [npi, JSON.parse(script!) as SignerScript]))
  const npis = [...new Set([...scripts.keys(), ...alsoFor])]
  if (npis.length === 0) return []
  const rows = await db
    .selectFrom('task as t')
    .innerJoin('inboxRequest as r', 'r.taskId', 't.id')
    .select(['t.id', 't.organizationId', 't.signerNpi', 'r.createdAt'])
    .where('t.signerNpi', 'in', npis)
    .where('t.status', '=', 'Pending')
    .execute()
  return rows.map(({ id, organizationId, signerNpi, createdAt }) => ({
    taskId: id,
    organizationId,
    signerNpi,
    script: scripts.get(signerNpi) ?? null,
    since: new Date(createdAt),
  }))
}
