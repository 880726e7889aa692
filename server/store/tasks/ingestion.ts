/** What ingestion needs of the store: tasks that are due, claimed with a lease, and what becomes of them. Not scoped: it serves every sender. */
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { SERVICE } from '../../domain/audit.ts'
import type { KnownPatient, PatientMatch } from '../../domain/task/matching.ts'
import type { TaskChange, TaskState } from '../../domain/task/task.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { templates } from '../directory/catalog.ts'
import { bindings } from '../sealing/bindings.ts'
import { type OnUnreadable, readable } from '../sealing/readable.ts'
import { openJson, sealJson } from '../sealing/sealed-json.ts'
import { changeTask, changeWithin } from './changes.ts'
import { documents } from './documents.ts'
import { lockPatients, patients } from './patients.ts'
import { type TaskRequest, taskColumns, taskOf } from './task-row.ts'

export interface ClaimedTask {
  id: number
  organizationId: number
  templateId: number | null
  attempts: number
  /** Known when a person decided who the patient is. */
  patientId: number | null
  request: TaskRequest
}

export interface Claim {
  at: Date
  /** A task whose worker died is due again then. */
  leaseUntil: Date
  limit: number
}

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
  fields: readonly Field[]
}

export function ingestion(context: StoreContext) {
  return {
    /**
     * Takes on tasks that are due, each as `decide` says. One that cannot be opened keeps its status and is due again after
     * the lease; `onUnreadable` is told of it.
     */
    claim: (
      { at, leaseUntil, limit }: Claim,
      decide: (task: TaskState) => TaskChange,
      onUnreadable: OnUnreadable = () => {},
    ): Promise<ClaimedTask[]> =>
      inTransaction(context, async (inside) => {
        const ingestAt = leaseUntil.toISOString()
        const rows = await lease(inside, at, ingestAt, limit)
        const read = (row: (typeof rows)[number]): ClaimedTask => {
          // What is not read here is decided on: it must open too.
          taskOf(context, row)
          return {
            id: row.id,
            organizationId: row.organizationId,
            templateId: row.templateId,
            attempts: row.ingestAttempts,
            patientId: row.patientId,
            request: openJson<TaskRequest>(context, row.sealedRequest, bindings.taskRequest(row.id)),
          }
        }
        const claimed = readable(rows, read, onUnreadable)
        for (const { id } of claimed)
          await changeWithin(inside, {
            scope: 'all',
            taskId: id,
            actor: SERVICE,
            decide,
            also: async () => ({ ingestAt }),
          })
        return claimed
      }),

    /** When the next task is due, or null. */
    async nextDue(): Promise<Date | null> {
      const row = await context.db
        .selectFrom('task')
        .select(({ fn }) => fn.min('ingestAt').as('next'))
        .where('ingestAt', 'is not', null)
        .executeTakeFirst()
      return row?.next ? new Date(row.next) : null
    },

    receivedPdf: async (taskId: number) => (await documents(context).find(taskId, 'received'))?.pdf ?? null,

    async templateFields({ organizationId, templateId }: ClaimedTask): Promise<Field[]> {
      return templateId === null ? [] : ((await templates(context, organizationId).find(templateId))?.fields ?? [])
    },

    /** Finds or makes the patient, as `match` says. A match that a person must decide changes nothing here. */
    resolvePatient: (
      { organizationId, patientId, request }: ClaimedTask,
      match: Match,
      at: Date,
    ): Promise<ResolvedPatient> =>
      inTransaction(context, async (inside) => {
        if (patientId !== null) return { outcome: 'known', patientId }
        await lockPatients(inside, organizationId)
        const known = patients(inside, organizationId)
        const matched = match(
          request.patient,
          await known.findByExternalId(request.patient),
          await known.findByDemographics(request.patient),
        )
        if (matched.outcome === 'new') return { outcome: 'known', patientId: await known.create(request.patient, at) }
        if (matched.outcome === 'known') await known.update(matched.patientId, request.patient, at)
        return matched
      }),

    /** Puts the document into the signer's inbox. `decide` is given the id that it has there. */
    present: (
      { id }: ClaimedTask,
      { patientId, routedTo, fields }: Presentation,
      decide: (task: TaskState, documentId: number) => TaskChange,
      at: Date,
    ): Promise<TaskChange> =>
      changeTask(context, {
        scope: 'all',
        taskId: id,
        actor: SERVICE,
        find: (inside) => inboxRequest(inside, id, at),
        decide,
        also: async () => ({
          patientId: patientId,
          routedTo: routedTo,
          sealedFields: sealJson(context, fields, bindings.taskFields(id)),
        }),
      }),

    /** Leaves the task to a person, who decides who the patient is. */
    review: (
      taskId: number,
      { reason, candidateIds }: ReviewNeeded,
      decide: (task: TaskState) => TaskChange,
    ): Promise<TaskChange> =>
      changeTask(context, {
        scope: 'all',
        taskId,
        actor: SERVICE,
        decide,
        also: async () => ({
          sealedReview: sealJson(context, { reason, candidateIds }, bindings.taskReview(taskId)),
        }),
      }),
  }
}

/** Rows that are due, from now on owned until `ingestAt`. */
async function lease({ db, locksRows }: TransactionContext, at: Date, ingestAt: string, limit: number) {
  const due = db
    .selectFrom('task')
    .select('id')
    .where('ingestAt', '<=', at.toISOString())
    .orderBy('ingestAt')
    .orderBy('id')
    .limit(limit)
  const ids = (await (locksRows ? due.forUpdate().skipLocked() : due).execute()).map(({ id }) => id)
  if (ids.length === 0) return []
  return db
    .updateTable('task')
    .set((value) => ({ ingestAt, ingestAttempts: value('ingestAttempts', '+', 1) }))
    .where('id', 'in', ids)
    .returning([...taskColumns, 'templateId', 'ingestAttempts', 'patientId', 'sealedRequest'])
    .execute()
}

/** The id of the task in its signer's inbox. A worker whose lease ended may find that another one has made it. */
async function inboxRequest({ db }: TransactionContext, taskId: number, at: Date): Promise<number> {
  const made = await db
    .insertInto('inboxRequest')
    .values({ taskId: taskId, createdAt: at.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) return made.id
  const { id } = await db.selectFrom('inboxRequest').select('id').where('taskId', '=', taskId).executeTakeFirstOrThrow()
  return id
}
