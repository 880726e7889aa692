/** Manual reviews: tasks that wait until a person says who the patient is. A decision sends the task back to ingestion. */
import type { Patient } from '../../../lib/contract/task/patient.ts'
import type { Actor } from '../../domain/audit.ts'
import type { OpenReview, ReviewChange } from '../../domain/task/review.ts'
import type { TaskState } from '../../domain/task/task.ts'
import { bindings } from '../sealing/bindings.ts'
import { openJson, type StoreContext } from '../sql/context.ts'
import { changeTask } from './changes.ts'
import { lockPatients, patients } from './patients.ts'
import type { TaskRequest } from './task-row.ts'

export interface Review {
  reason: string
  sent: Patient
  /** Whom the patient may be; empty when too little is known to tell. */
  candidates: { id: number; patient: Patient }[]
}

interface SealedReview {
  reason: string
  candidateIds: number[]
}

export function reviews(context: StoreContext) {
  /** The open review of a task, or null. */
  async function openOf(db: StoreContext['db'], taskId: number) {
    const row = await db
      .selectFrom('task')
      .select(['organization_id', 'sealed_request', 'sealed_review'])
      .where('id', '=', taskId)
      .where('status', '=', 'Processing')
      .executeTakeFirst()
    if (!row?.sealed_review) return null
    return {
      organizationId: row.organization_id,
      sent: openJson<TaskRequest>(context, row.sealed_request, bindings.taskRequest(taskId)).patient,
      ...openJson<SealedReview>(context, row.sealed_review, bindings.taskReview(taskId)),
    }
  }

  return {
    /** The open review of a task, or null. The caller has established whose task it is. */
    async find(taskId: number): Promise<Review | null> {
      const open = await openOf(context.db, taskId)
      if (!open) return null
      const candidates = await patients(context, open.organizationId).findAll(open.candidateIds)
      return { reason: open.reason, sent: open.sent, candidates }
    },

    /** Makes ingestion go on with the patient who was decided on. `decide` is given null when no review is open. */
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
          const open = await openOf(inside.db, taskId)
          if (!open) return null
          await lockPatients(inside, open.organizationId)
          const holder = await patients(inside, open.organizationId).findByExternalId(open.sent)
          return { ...open, holderId: holder?.id ?? null }
        },
        decide: (task, review) => decide(task, review),
        async also(inside, { patient, at }, review) {
          const { organizationId, sent } = review!
          const known = patients(inside, organizationId)
          const patient_id = patient === 'new' ? await known.create(sent, at) : patient.id
          if (patient !== 'new') {
            if (patient.isAlias) await known.addAlias(patient.id, sent)
            await known.update(patient.id, sent, at)
          }
          return { patient_id, ingest_at: at.toISOString(), ingest_attempts: 0 }
        },
      })
      context.announce('task')
    },
  }
}
