/** A manual review: a person decides who the patient of a task is, or that the task fails. */
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { decideReview, undoReview } from '../../../domain/task/review.ts'
import { transition } from '../../../domain/task/task.ts'
import { idParams } from '../id-params.ts'
import { DecisionBody } from '../messages/tasks.ts'
import { OPERATOR_ALONE, operatorRow } from '../operator-context.ts'

export const reviewTask = operatorRow({
  method: 'post',
  path: '/admin/v1/tasks/:id/review',
  group: 'Tasks',
  summary: 'Decide who the patient is, or fail the task',
  who: OPERATOR_ALONE,
  params: idParams('the task'),
  taskId: 'id',
  body: DecisionBody,
  responses: { 204: null, 404: ErrorBody, 409: ErrorBody },
  async run({ store, by, at, newId }, { params: { id }, body }) {
    if (body.decision !== 'fail') {
      const decision = body.decision === 'new' ? 'new' : { same: body.patientId }
      return store.reviews.decide(id, by, (task, review) => decideReview(task, review, decision, at))
    }
    if (!(await store.reviews.find(id))) throw new Refusal('conflict', `Task ${id} is not waiting for a decision.`)
    const facts = { at, eventId: newId(), reason: body.reason.trim() }
    await store.tasks('all').change(id, by, (task) => transition(task, 'fail', facts))
  },
})

export const undoTaskReview = operatorRow({
  method: 'post',
  path: '/admin/v1/tasks/:id/review/undo',
  group: 'Tasks',
  summary: 'Undo the decision about a patient, until a signer has opened the document',
  who: OPERATOR_ALONE,
  params: idParams('the task'),
  taskId: 'id',
  responses: { 204: null, 404: ErrorBody, 409: ErrorBody },
  async run({ store, by, at }, { params: { id } }) {
    await store.reviews.undo(id, by, (task, undoing) => undoReview(task, undoing, at))
  },
})
