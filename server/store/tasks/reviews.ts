/** Manual reviews: tasks that wait until a person says who the patient is. A decision sends the task back to ingestion. */
import type { Patient } from '../../../lib/contract/task/patient.ts'
import type { Actor } from '../../domain/audit.ts'
import { decidedSubject } from '../../domain/task/act-subject.ts'
import type { OpenReview, ReviewChange } from '../../domain/task/review.ts'
import type { TaskState } from '../../domain/task/task.ts'
import type { StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import { openJson } from '../sealing/sealed-json.ts'
import { changeTask } from './changes.ts'
import { patients } from './patients.ts'
import type { TaskRequest } from './task-row.ts'

export interface Review {
  reason: string
  sent: Patient
  /** Whom the patient may be, and how many tasks of theirs there are; empty when too little is known to tell. */
  candidates: { id: number; patient: Patient; orders: number }[]
}

/** The review as it is encrypted with the task. */
export interface SealedReview {
  reason: string
  candidateIds: readonly number[]
}

export const reviews = (context: StoreContext) => ({
  /** The open review of a task, or null. The caller has established whose task it is. */
  async find(taskId: number): Promise<Review | null> {
    const open = await openReviewOf(context, taskId)
    if (!open) return null
    const candidates = await patients(context, open.organizationId).findAll(open.candidateIds)
    const orders = await ordersOf(context, open.candidateIds)
    return {
      reason: open.reason,
      sent: open.sent,
      candidates: candidates.map((candidate) => ({ ...candidate, orders: orders.get(candidate.id) ?? 0 })),
    }
  },

  /** Makes ingestion continue with the patient who was decided on. `decide` is given null when no review is open. */
  async decide(
    taskId: number,
    actor: Actor,
    decide: (task: TaskState, review: OpenReview | null) => ReviewChange,
  ): Promise<void> {
    await changeTask(context, {
      scope: 'all',
      taskId,
      actor,
      async find(inside) {
        const open = await openReviewOf(inside, taskId)
        if (!open) return null
        const known = patients(inside, open.organizationId)
        await known.lock(inside, open.sent)
        const holder = await known.findByExternalId(open.sent)
        return { ...open, holderId: holder?.id ?? null }
      },
      decide: (task, review) => decide(task, review),
      async also(inside, { patient, at }, review) {
        const { organizationId, sent } = review!
        const known = patients(inside, organizationId)
        const ingestion = { ingestAt: at.toISOString(), ingestAttempts: 0 }
        if (patient === 'new') return { ...ingestion, patientId: await known.create(sent, at) }
        if (patient.isAlias) await known.addAlias(patient.id, sent)
        await known.update(patient.id, sent, at)
        return { ...ingestion, patientId: patient.id }
      },
      subject: ({ patient }, { patientId }) =>
        decidedSubject({ isNew: patient === 'new', patientId: patientId as number }),
    })
    context.announce('task')
  },
})

/** Returns how many tasks each of the patients has. */
async function ordersOf({ db }: StoreContext, patientIds: readonly number[]): Promise<Map<number, number>> {
  if (patientIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('task')
    .select(({ fn }) => ['patientId', fn.countAll().as('orders')])
    .where('patientId', 'in', patientIds)
    .groupBy('patientId')
    .execute()
  return new Map(rows.map(({ patientId, orders }) => [patientId!, Number(orders)]))
}

async function openReviewOf(context: StoreContext, taskId: number) {
  const row = await context.db
    .selectFrom('task')
    .select(['organizationId', 'sealedRequest', 'sealedReview'])
    .where('id', '=', taskId)
    .where('status', '=', 'Processing')
    .executeTakeFirst()
  if (!row?.sealedReview) return null
  return {
    organizationId: row.organizationId,
    sent: openJson<TaskRequest>(context, row.sealedRequest, bindings.taskRequest(taskId)).patient,
    ...openJson<SealedReview>(context, row.sealedReview, bindings.taskReview(taskId)),
  }
}
