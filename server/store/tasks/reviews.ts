/** Manual reviews: tasks that wait until a person says who the patient is. A decision sends the task back to ingestion. */
import type { Patient } from '../../../lib/contract/task/patient.ts'
import type { Actor } from '../../domain/audit.ts'
import { decidedSubject } from '../../domain/task/act-subject.ts'
import type { OpenReview, ReviewChange, Undoing } from '../../domain/task/review.ts'
import type { TaskChange, TaskState } from '../../domain/task/task.ts'
import type { StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import { openJson, sealJson } from '../sealing/sealed-json.ts'
import { changeTask } from './changes.ts'
import { patients } from './patients.ts'
import { isOpenedBySigner } from './story-facts.ts'
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

/** A decision as it is encrypted with the task, with what has to be put back when it is undone. */
interface SealedDecision extends SealedReview {
  patientId: number
  decidedAt: string
  isAlias: boolean
  /** The known patient before; null for a new one. */
  before: { patient: Patient; updatedAt: string } | null
}

export const reviews = (context: StoreContext) => ({
  /** The open review of a task, or null. The caller has established whose task it is. */
  async find(taskId: number): Promise<Review | null> {
    const review = await openReviewOf(context, taskId)
    if (!review) return null
    const open = await withHolder(context, review)
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
        await patients(inside, open.organizationId).lock(inside, open.sent)
        return withHolder(inside, open)
      },
      decide: (task, review) => decide(task, review),
      async also(inside, { patient, at }, review) {
        const { organizationId, sent } = review!
        const known = patients(inside, organizationId)
        const { reason, candidateIds } = review!
        const before = patient === 'new' ? null : await known.kept(patient.id)
        const patientId = patient === 'new' ? await known.create(sent, at) : patient.id
        const isAlias = patient !== 'new' && patient.isAlias
        if (isAlias) await known.addAlias(patientId, sent)
        if (patient !== 'new') await known.update(patientId, sent, at)
        const decision: SealedDecision = {
          reason,
          candidateIds,
          patientId,
          decidedAt: at.toISOString(),
          isAlias,
          before,
        }
        return {
          ingestAt: at.toISOString(),
          ingestAttempts: 0,
          patientId,
          sealedDecision: sealJson(inside, decision, bindings.taskDecision(taskId)),
        }
      },
      subject: ({ patient }, { patientId }) =>
        decidedSubject({ isNew: patient === 'new', patientId: patientId as number }),
    })
    context.announce('task')
  },

  /** Whether the decision on a task, as `undo` would be given it, can be undone. */
  async undoing(taskId: number): Promise<Undoing> {
    const decided = await decidedReviewOf(context, taskId)
    return undoingOf(context, taskId, decided)
  },

  /** Opens the review of a task again, and puts back what was known of its patients. */
  async undo(taskId: number, actor: Actor, decide: (task: TaskState, undoing: Undoing) => TaskChange): Promise<void> {
    await changeTask(context, {
      scope: 'all',
      taskId,
      actor,
      async find(inside) {
        const decided = await decidedReviewOf(inside, taskId)
        if (decided) await patients(inside, decided.organizationId).lock(inside, decided.sent)
        return { decided, undoing: await undoingOf(inside, taskId, decided) }
      },
      decide: (task, { undoing }) => decide(task, undoing),
      async also(inside, _, { decided }) {
        const { organizationId, sent, decision } = decided!
        const { reason, candidateIds, patientId, isAlias, before } = decision
        const known = patients(inside, organizationId)
        if (isAlias) await known.removeAlias(patientId, sent)
        if (before) await known.update(patientId, before.patient, new Date(before.updatedAt))
        else {
          await inside.db.updateTable('task').set({ patientId: null }).where('id', '=', taskId).execute()
          await known.remove(patientId)
        }
        const review: SealedReview = { reason, candidateIds }
        return {
          patientId: null,
          routedTo: null,
          sealedFields: null,
          sealedReview: sealJson(inside, review, bindings.taskReview(taskId)),
          sealedDecision: null,
        }
      },
    })
    context.announce('task')
  },
})

type Decided = NonNullable<Awaited<ReturnType<typeof decidedReviewOf>>>

async function undoingOf(context: StoreContext, taskId: number, decided: Decided | null): Promise<Undoing> {
  if (!decided) return { isDecided: false, isOpened: false, isUsed: false }
  const { organizationId, decision } = decided
  const now = await patients(context, organizationId).kept(decision.patientId)
  const others = await ordersOf(context, [decision.patientId])
  return {
    isDecided: true,
    isOpened: await isOpenedBySigner(context, taskId),
    // A new patient of this task alone has one order.
    isUsed: now?.updatedAt !== decision.decidedAt || (!decision.before && others.get(decision.patientId) !== 1),
  }
}

async function decidedReviewOf(context: StoreContext, taskId: number) {
  const row = await context.db
    .selectFrom('task')
    .select(['organizationId', 'sealedRequest', 'sealedDecision'])
    .where('id', '=', taskId)
    .where('status', '=', 'Pending')
    .executeTakeFirst()
  if (!row?.sealedDecision) return null
  return {
    organizationId: row.organizationId,
    sent: openJson<TaskRequest>(context, row.sealedRequest, bindings.taskRequest(taskId)).patient,
    decision: openJson<SealedDecision>(context, row.sealedDecision, bindings.taskDecision(taskId)),
  }
}

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

/**
 * Adds the patient for whom the sender uses the id by now: another order of the same new patient may have been decided on since this
 * one was put into review, and then this patient is the right answer.
 */
async function withHolder(
  context: StoreContext,
  open: NonNullable<Awaited<ReturnType<typeof openReviewOf>>>,
): Promise<typeof open & OpenReview> {
  const holder = await patients(context, open.organizationId).findByExternalId(open.sent)
  const candidateIds = holder ? [...new Set([...open.candidateIds, holder.id])] : open.candidateIds
  return { ...open, candidateIds, holderId: holder?.id ?? null }
}
