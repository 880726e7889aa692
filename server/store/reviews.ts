/** Manual reviews: tasks that wait until a person says who the patient is. A decision sends the task back to ingestion. */
import type { Patient } from '../../lib/contract/patient.ts'
import type { Actor } from '../domain/audit.ts'
import { Refusal } from '../domain/refusal.ts'
import { bindings } from './bindings.ts'
import { inTransaction, openJson, type StoreContext } from './context.ts'
import { lockPatients } from './ingestion.ts'
import { patients } from './patients.ts'
import type { TaskRequest } from './tasks.ts'

export interface Review {
  reason: string
  sent: Patient
  /** Whom the patient may be; empty when too little is known to tell. */
  candidates: { id: number; patient: Patient }[]
}

/** Same as one of the candidates, or somebody new. */
export type Decision = { same: number } | 'new'

interface SealedReview {
  reason: string
  candidateIds: number[]
}

export function reviews(context: StoreContext) {
  const rowOf = (db: StoreContext['db'], taskId: number) =>
    db
      .selectFrom('task')
      .select(['organization_id', 'sealed_request', 'sealed_review'])
      .where('id', '=', taskId)
      .where('status', '=', 'Processing')
      .where('sealed_review', 'is not', null)
  const read = (taskId: number, row: { sealed_request: Uint8Array; sealed_review: Uint8Array | null }) => ({
    ...openJson<SealedReview>(context, row.sealed_review!, bindings.taskReview(taskId)),
    sent: openJson<TaskRequest>(context, row.sealed_request, bindings.taskRequest(taskId)).patient,
  })

  return {
    /** The open review of a task, or null. The caller has established whose task it is. */
    async find(taskId: number): Promise<Review | null> {
      const row = await rowOf(context.db, taskId).executeTakeFirst()
      if (!row) return null
      const { reason, candidateIds, sent } = read(taskId, row)
      return { reason, sent, candidates: await patients(context, row.organization_id).findAll(candidateIds) }
    },

    /** Refuses with `conflict` when no review is open, or when a new patient would take the id of another one. */
    async decide(taskId: number, decision: Decision, by: Actor, at: Date): Promise<void> {
      await inTransaction(context, async (inside) => {
        const query = rowOf(inside.db, taskId)
        const row = await (inside.locksRows ? query.forUpdate() : query).executeTakeFirst()
        if (!row) throw new Refusal('conflict', `Task ${taskId} waits for no decision, or not any more.`)
        const { organization_id: organizationId } = row
        const { candidateIds, sent } = read(taskId, row)
        await lockPatients(inside, organizationId)
        const known = patients(inside, organizationId)
        const holder = await known.findByExternalId(sent)
        const decided = async () => {
          if (decision !== 'new') {
            if (!candidateIds.includes(decision.same))
              throw new Refusal('invalid', 'same: one of the candidates of the review')
            if (!holder) await known.addAlias(decision.same, sent)
            await known.update(decision.same, sent, at)
            return decision.same
          }
          if (holder)
            throw new Refusal(
              'conflict',
              'The sender uses this patient id for another patient. Fail the task, so that the sender corrects the id.',
            )
          return known.create(sent, at)
        }
        const patient_id = await decided()
        await inside.db
          .updateTable('task')
          .set({
            patient_id,
            sealed_review: null,
            ingest_at: at.toISOString(),
            ingest_attempts: 0,
            updated_at: at.toISOString(),
          })
          .where('id', '=', taskId)
          .execute()
        inside.note({ action: 'task.review', by, at, organizationId, taskId })
      })
      context.announce('task')
    },
  }
}
