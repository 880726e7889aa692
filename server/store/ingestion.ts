/** What ingestion needs of the store: tasks that are due, claimed with a lease, and what becomes of them. Not scoped: it serves every sender. */
import type { Field } from '../../lib/pdf/placement.ts'
import { SERVICE } from '../domain/audit.ts'
import { matchPatient, type PatientMatch } from '../domain/matching.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Change, type TriggerFacts, transition } from '../domain/task.ts'
import { bindings } from './bindings.ts'
import { templates } from './catalog.ts'
import { changeTask, changeWithin } from './changes.ts'
import {
  inTransaction,
  type OnUnreadable,
  openJson,
  readable,
  type StoreContext,
  sealJson,
  type TransactionContext,
} from './context.ts'
import { documents } from './documents.ts'
import { patients } from './patients.ts'
import type { TaskRequest } from './tasks.ts'

export interface ClaimedTask {
  id: number
  organizationId: number
  templateId: number | null
  attempts: number
  /** Known when a person decided who the patient is. */
  patientId: number | null
  request: TaskRequest
}

export type ResolvedPatient = Exclude<PatientMatch, { outcome: 'new' }>

export interface Presentation {
  patientId: number
  routedTo: number
  fields: readonly Field[]
}

export function ingestion(context: StoreContext) {
  return {
    /**
     * Tasks that are due, now owned until `leaseUntil`; a task whose owner died is due again after that. So is one that cannot
     * be opened, of which `onUnreadable` learns.
     */
    claim: (at: Date, leaseUntil: Date, limit: number, onUnreadable: OnUnreadable = () => {}): Promise<ClaimedTask[]> =>
      inTransaction(context, async ({ db, locksRows }) => {
        const due = db
          .selectFrom('task')
          .select('id')
          .where('ingest_at', '<=', at.toISOString())
          .orderBy('ingest_at')
          .orderBy('id')
          .limit(limit)
        const ids = (await (locksRows ? due.forUpdate().skipLocked() : due).execute()).map(({ id }) => id)
        if (ids.length === 0) return []
        const rows = await db
          .updateTable('task')
          .set((value) => ({
            status: 'Processing' as const,
            ingest_at: leaseUntil.toISOString(),
            ingest_attempts: value('ingest_attempts', '+', 1),
            updated_at: at.toISOString(),
          }))
          .where('id', 'in', ids)
          .returning(['id', 'organization_id', 'template_id', 'ingest_attempts', 'patient_id', 'sealed_request'])
          .execute()
        const read = (row: (typeof rows)[number]): ClaimedTask => ({
          id: row.id,
          organizationId: row.organization_id,
          templateId: row.template_id,
          attempts: row.ingest_attempts,
          patientId: row.patient_id,
          request: openJson<TaskRequest>(context, row.sealed_request, bindings.taskRequest(row.id)),
        })
        return readable(rows, read, onUnreadable)
      }),

    /** When the next task is due, or null. */
    async nextDue(): Promise<Date | null> {
      const row = await context.db
        .selectFrom('task')
        .select(({ fn }) => fn.min('ingest_at').as('next'))
        .where('ingest_at', 'is not', null)
        .executeTakeFirst()
      return row?.next ? new Date(row.next) : null
    },

    receivedPdf: async (taskId: number) => (await documents(context).find(taskId, 'received'))?.pdf ?? null,

    async templateFields({ organizationId, templateId }: ClaimedTask): Promise<Field[]> {
      return templateId === null ? [] : ((await templates(context, organizationId).find(templateId))?.fields ?? [])
    },

    /** Finds or makes the patient. A match that a person must decide changes nothing here. */
    resolvePatient: ({ organizationId, patientId, request }: ClaimedTask, at: Date): Promise<ResolvedPatient> =>
      inTransaction(context, async (inside) => {
        if (patientId !== null) return { outcome: 'known', patientId }
        await lockPatients(inside, organizationId)
        const known = patients(inside, organizationId)
        const match = matchPatient(
          request.patient,
          await known.findByExternalId(request.patient),
          await known.findByDemographics(request.patient),
        )
        if (match.outcome === 'new') return { outcome: 'known', patientId: await known.create(request.patient, at) }
        if (match.outcome === 'known') await known.update(match.patientId, request.patient, at)
        return match
      }),

    /** Puts the document into the signer's inbox. */
    async present(
      task: ClaimedTask,
      { patientId, routedTo, fields }: Presentation,
      facts: TriggerFacts,
    ): Promise<void> {
      await inTransaction(context, async (inside) => {
        const request = await inside.db
          .insertInto('inbox_request')
          .values({ task_id: task.id, created_at: facts.at.toISOString() })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        // A worker whose lease ended while it worked may find that another one was faster.
        if (!request) throw new Refusal('conflict', `Task ${task.id} is in an inbox already.`)
        await changeWithin(inside, 'all', task.id, SERVICE, (state) =>
          transition(state, 'present', { ...facts, documentId: request.id }),
        )
        const sealed_fields = sealJson(context, fields, bindings.taskFields(task.id))
        const placed = { patient_id: patientId, routed_to: routedTo, sealed_fields }
        await inside.db.updateTable('task').set(placed).where('id', '=', task.id).execute()
      })
      context.announce('event')
    },

    fail: (taskId: number, facts: TriggerFacts): Promise<Change> =>
      changeTask(context, 'all', taskId, SERVICE, (state) => transition(state, 'fail', facts)),

    /** Leaves the task in Processing until a person decides who the patient is. */
    async review(taskId: number, match: PatientMatch & { outcome: 'review' }, at: Date): Promise<void> {
      const { reason, candidateIds } = match
      await context.db
        .updateTable('task')
        .set({
          ingest_at: null,
          sealed_review: sealJson(context, { reason, candidateIds }, bindings.taskReview(taskId)),
          updated_at: at.toISOString(),
        })
        .where('id', '=', taskId)
        .where('status', '=', 'Processing')
        .execute()
    },
  }
}

/** One worker at a time looks for and makes patients of an organization; two at once would make the same one twice. */
export async function lockPatients({ db, locksRows }: TransactionContext, organizationId: number): Promise<void> {
  if (!locksRows) return
  await db.selectFrom('organization').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
}
