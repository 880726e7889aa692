/** The part of the store for ingestion: tasks that are due, and their results. Not scoped: it serves every sender. */
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { SERVICE } from '../../domain/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { presentedSubject } from '../../domain/task/act-subject.ts'
import type { KnownPatient, PatientMatch } from '../../domain/task/matching.ts'
import type { Route } from '../../domain/task/routing.ts'
import type { SignatureRule } from '../../domain/task/signature-place.ts'
import type { TaskChange, TaskState } from '../../domain/task/task.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { type StoredTemplate, templates } from '../directory/templates.ts'
import { oweNoticeOf } from '../notices/owing.ts'
import { bindings } from '../sealing/bindings.ts'
import type { OnUnreadable } from '../sealing/readable.ts'
import { sealJson } from '../sealing/sealed-json.ts'
import { changeTask } from './changes.ts'
import { type Claim, type ClaimedTask, claimTasks } from './claimed-task.ts'
import { documents, documentsInside, layDown } from './documents.ts'
import { patients } from './patients.ts'
import type { SealedReview } from './reviews.ts'
import type { TaskRequest } from './task-row.ts'

export type ResolvedPatient = Exclude<PatientMatch, { outcome: 'new' }>
type ReviewNeeded = PatientMatch & { outcome: 'review' }

/** Who a patient is: given the one with the sender's id, and those with the same demographics. */
type Match = (
  sent: TaskRequest['patient'],
  sameExternalId: KnownPatient | null,
  sameDemographics: readonly KnownPatient[],
) => PatientMatch

export interface Presentation {
  patientId: number
  routedTo: number
  routedBy: Route['by']
  fields: readonly Field[]
  signatureRule: SignatureRule
}

export const ingestion = (context: StoreContext) => ({
  /**
   * Takes on tasks that are due, each as `decide` says. One that cannot be opened keeps its status and is due again after
   * the lease; `onUnreadable` is notified of it.
   */
  claim: (
    claim: Claim,
    decide: (task: TaskState) => TaskChange,
    onUnreadable: OnUnreadable = () => {},
  ): Promise<ClaimedTask[]> => claimTasks(context, claim, decide, onUnreadable),

  /** When the next task is due, or null. */
  nextDue: (): Promise<Date | null> => nextDue(context),

  receivedPdf: async (taskId: number) => (await documents(context).find(taskId, 'received'))?.pdf ?? null,

  /** The document as it was received, where it has to be drawn before it can be shown, and has not been; null otherwise. */
  async pdfToDraw(taskId: number): Promise<Buffer | null> {
    const { has, find } = documents(context)
    return (await has(taskId, 'received')) ? null : ((await find(taskId, 'original'))?.pdf ?? null)
  },

  /** Keeps what was drawn of the original. Refuses with `conflict` when the task has ended, or was drawn by another worker. */
  async keepDrawn(taskId: number, drawn: { pdf: Uint8Array; sha256: string }, at: Date): Promise<void> {
    const document = await layDown(context, drawn, at)
    await inTransaction(context, async (inside) => {
      const ingested = inside.db.selectFrom('task').select('id').where('id', '=', taskId)
      const open = ingested.where('status', '=', 'Processing').where('contentsRemovedAt', 'is', null)
      const row = await (inside.locksRows ? open.forUpdate() : open).executeTakeFirst()
      const kept = documentsInside(inside)
      if (!row || (await kept.has(taskId, 'received'))) throw new Refusal('conflict', DRAWN_BEFORE)
      await kept.insert(taskId, 'received', document, at)
    })
  },

  /** Moves the end of a lease that this worker still has. */
  async prolong(taskId: number, lease: { from: Date; to: Date }): Promise<void> {
    const held = context.db
      .updateTable('task')
      .where('id', '=', taskId)
      .where('ingestAt', '=', lease.from.toISOString())
    await held.set({ ingestAt: lease.to.toISOString() }).execute()
  },

  /** It is due again after its lease, and this attempt does not count: the task is not to blame. */
  async putOff(taskId: number): Promise<void> {
    const claimed = context.db.updateTable('task').where('id', '=', taskId).where('ingestAttempts', '>', 0)
    await claimed.set(({ eb }) => ({ ingestAttempts: eb('ingestAttempts', '-', 1) })).execute()
  },

  /** The task's template; null without one. */
  template: async ({ organizationId, templateId }: ClaimedTask): Promise<StoredTemplate | null> =>
    templateId === null ? null : templates(context, organizationId).find(templateId),

  ...outcomes(context),

  /** Writes outcomes of a task in one transaction. `work` may be run again, so it decides purely. */
  together: <T>(work: (inside: Outcomes) => Promise<T>): Promise<T> =>
    inTransaction(context, (inside) => work(outcomes(inside))),
})

type Outcomes = ReturnType<typeof outcomes>

/** The results of a claimed task. */
const outcomes = (context: StoreContext) => ({
  /** Finds or makes the patient, as `match` says. A match that a person must decide changes nothing here. */
  resolvePatient: (task: ClaimedTask, match: Match, at: Date): Promise<ResolvedPatient> =>
    inTransaction(context, (inside) => resolvePatient(inside, task, match, at)),

  /** Puts the document into the signer's inbox. `decide` is given the id that it has there. */
  present: (
    { id, request }: ClaimedTask,
    { patientId, routedTo, routedBy, fields, signatureRule }: Presentation,
    decide: (task: TaskState, documentId: number) => TaskChange,
    at: Date,
  ): Promise<TaskChange> =>
    changeTask(context, {
      scope: 'all',
      taskId: id,
      actor: SERVICE,
      find: (inside) => inboxRequest(inside, id, at),
      decide,
      async also(inside) {
        await oweNoticeOf(inside, { signerNpi: request.performer.signer.userNPI, routedTo }, at)
        return { patientId, routedTo, signatureRule, sealedFields: sealJson(context, fields, bindings.taskFields(id)) }
      },
      subject: () => presentedSubject({ patientId, routedTo, routedBy, fields: fields.length }),
    }),

  /** Leaves the task to a person, who decides who the patient is. */
  review: (
    taskId: number,
    { reason, candidateIds }: ReviewNeeded,
    decide: (task: TaskState) => TaskChange,
  ): Promise<TaskChange> => {
    const review: SealedReview = { reason, candidateIds }
    return changeTask(context, {
      scope: 'all',
      taskId,
      actor: SERVICE,
      decide,
      also: async () => ({ sealedReview: sealJson(context, review, bindings.taskReview(taskId)) }),
    })
  },
})

const DRAWN_BEFORE = 'The document of this task was drawn before, or the task has ended.'

async function nextDue({ db }: StoreContext): Promise<Date | null> {
  const row = await db
    .selectFrom('task')
    .select(({ fn }) => fn.min('ingestAt').as('next'))
    .where('ingestAt', 'is not', null)
    .executeTakeFirst()
  return row?.next ? new Date(row.next) : null
}

async function resolvePatient(
  inside: TransactionContext,
  { organizationId, patientId, request: { patient } }: ClaimedTask,
  match: Match,
  at: Date,
): Promise<ResolvedPatient> {
  if (patientId !== null) return { outcome: 'known', patientId }
  const known = patients(inside, organizationId)
  await known.lock(inside, patient)
  const { sameExternalId, sameDemographics } = await known.findLike(patient)
  const matched = match(patient, sameExternalId, sameDemographics)
  if (matched.outcome === 'new') return { outcome: 'known', patientId: await known.create(patient, at) }
  const found = sameExternalId ? [sameExternalId, ...sameDemographics] : sameDemographics
  if (matched.outcome === 'known') await known.update(matched.patientId, patient, at, found)
  return matched
}

/** The id of the task in its signer's inbox. A worker whose lease ended may find that another one has made it. */
async function inboxRequest({ db }: TransactionContext, taskId: number, at: Date): Promise<number> {
  const made = await db
    .insertInto('inboxRequest')
    .values({ taskId, createdAt: at.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) return made.id
  const { id } = await db.selectFrom('inboxRequest').select('id').where('taskId', '=', taskId).executeTakeFirstOrThrow()
  return id
}
