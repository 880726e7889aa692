/** What a person may decide about a patient whom ingestion could not match. choice: Matching a patient */
import { expect } from 'chai'
import { Refusal } from '../../../server/domain/refusal.ts'
import {
  canUndo,
  decideReview,
  type OpenReview,
  type ReviewDecision,
  type Undoing,
  undoReview,
} from '../../../server/domain/task/review.ts'
import type { TaskState } from '../../../server/domain/task/task.ts'

const at = new Date('2026-01-15T09:30:00.000Z')
const held: TaskState = {
  id: 7,
  status: 'Processing',
  statusReason: null,
  documentId: null,
  isArchived: false,
  isFiled: false,
  externalSavedDocumentId: null,
}
const unknownId: OpenReview = { candidateIds: [3, 4], holderId: null }
const knownId: OpenReview = { candidateIds: [3], holderId: 3 }

const patient = (review: OpenReview, decision: ReviewDecision) => decideReview(held, review, decision, at).patient
const refusal = (review: OpenReview | null, decision: ReviewDecision) => {
  try {
    decideReview(held, review, decision, at)
  } catch (failure) {
    if (failure instanceof Refusal) return `${failure.kind}: ${failure.message}`
  }
  return 'decided'
}

describe('A decision about a patient', () => {
  it('lets ingestion go on without an event, and has an audit entry', () => {
    const decided = decideReview(held, unknownId, 'new', at)
    expect(decided).to.deep.equal({ task: held, at, event: null, action: 'task.review', patient: 'new' })
  })

  it('gives a candidate the sender’s id, unless it means a patient already', () => {
    expect(patient(unknownId, { same: 4 })).to.deep.equal({ id: 4, isAlias: true })
    expect(patient(knownId, { same: 3 })).to.deep.equal({ id: 3, isAlias: false })
  })

  it('is refused for somebody who is no candidate', () => {
    expect(refusal(unknownId, { same: 5 })).to.equal('invalid: same: one of the candidates of the review')
  })

  it('is refused as new when the sender’s id means a patient already', () => {
    expect(refusal(knownId, 'new')).to.match(/^conflict: The sender uses this patient id for another patient\./)
  })

  it('is refused when no review is open', () => {
    expect(refusal(null, 'new')).to.equal('conflict: Task 7 is not waiting for a decision.')
  })
})

describe('Undoing a decision about a patient', () => {
  const waiting: TaskState = { ...held, status: 'Pending', documentId: 70 }
  const free: Undoing = { isDecided: true, isOpened: false, isUsed: false }
  const undone = (task: TaskState, undoing: Undoing) => {
    try {
      return undoReview(task, undoing, at)
    } catch (failure) {
      if (failure instanceof Refusal) return `${failure.kind}: ${failure.message}`
      throw failure
    }
  }

  it('puts the task back into review without an event, and has an audit entry', () => {
    expect(undone(waiting, free)).to.deep.equal({ task: held, at, event: null, action: 'task.reopen' })
    expect(canUndo(free)).to.equal(true)
  })

  for (const [change, why] of [
    [{ isDecided: false }, 'it was not made in a review'],
    [{ isOpened: true }, 'a signer has opened the document'],
    [{ isUsed: true }, 'another order of this patient has arrived since'],
  ] as const)
    it(`is refused because ${why}`, () => {
      const undoing = { ...free, ...change }
      expect(undone(waiting, undoing)).to.equal(
        `conflict: The decision about the patient of task 7 cannot be undone: ${why}.`,
      )
      expect(canUndo(undoing)).to.equal(false)
    })

  for (const status of ['Processing', 'Completed', 'Rejected', 'Retracted', 'Failed', 'Cancelled'] as const)
    it(`is refused of a task that is ${status}`, () => {
      expect(undone({ ...waiting, status }, free)).to.match(
        /^conflict: Task 7 is .* only a Pending task can be put back/,
      )
    })
})
