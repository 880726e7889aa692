/** Applies a person's decision about a patient whom ingestion could not match. Pure. choice: Matching a patient */
import { Refusal } from '../refusal.ts'
import { proceed, type TaskChange, type TaskState } from './task.ts'

/** Same as one of the candidates, or someone new. */
export type ReviewDecision = { same: number } | 'new'

export interface OpenReview {
  candidateIds: readonly number[]
  /** The patient for whom the sender uses the id already, or null. */
  holderId: number | null
}

export interface ReviewChange extends TaskChange {
  /** `isAlias`: from now on the sender's id means this patient too. */
  patient: 'new' | { id: number; isAlias: boolean }
}

/** `review` is null when none is open. */
export function decideReview(
  task: TaskState,
  review: OpenReview | null,
  decision: ReviewDecision,
  at: Date,
): ReviewChange {
  if (!review) throw new Refusal('conflict', `Task ${task.id} is not waiting for a decision.`)
  return { ...proceed(task, 'resume', at), patient: patientOf(review, decision) }
}

export interface Undoing {
  /** Whether a decision was made that has not been undone. */
  isDecided: boolean
  /** Whether a signer has opened the document. */
  isOpened: boolean
  /** Whether another order of the patient has arrived since. */
  isUsed: boolean
}

/** Returns whether nothing keeps the decision from being undone. */
export const canUndo = ({ isDecided, isOpened, isUsed }: Undoing): boolean => isDecided && !isOpened && !isUsed

/** Puts a task back into review, as it was before the decision. */
export function undoReview(task: TaskState, { isDecided, isOpened, isUsed }: Undoing, at: Date): TaskChange {
  const change = proceed(task, 'reopen', at)
  const refuse = (why: string): never => {
    throw new Refusal('conflict', `The decision about the patient of task ${task.id} cannot be undone: ${why}.`)
  }
  if (!isDecided) refuse('it was not made in a review')
  if (isOpened) refuse('a signer has opened the document')
  if (isUsed) refuse('another order of this patient has arrived since')
  return { ...change, task: { ...change.task, documentId: null } }
}

function patientOf({ candidateIds, holderId }: OpenReview, decision: ReviewDecision): ReviewChange['patient'] {
  if (decision !== 'new') {
    if (!candidateIds.includes(decision.same)) throw new Refusal('invalid', 'same: one of the candidates of the review')
    return { id: decision.same, isAlias: holderId === null }
  }
  if (holderId !== null)
    throw new Refusal(
      'conflict',
      'The sender uses this patient id for another patient. Fail the task, so that the sender corrects the id.',
    )
  return 'new'
}
