/** Where a person decides who the patient is, as sent alongside each known patient it may be. */
import { useState } from 'preact/hooks'
import type { DecisionBody, Review, TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { ReasonDialog } from '../../shared/dialogs/reason-dialog.tsx'
import { count } from '../../shared/format.ts'
import { act } from '../act.ts'
import { PatientTerms } from './patient-terms.tsx'

interface ReviewDeskProps {
  file: TaskFile
  review: Review
  onDecided(): Promise<void>
}

export function ReviewDesk({ file: { task, mayDecide }, review, onDecided }: ReviewDeskProps) {
  const [isFailing, setFailing] = useState(false)
  const [merging, setMerging] = useState<Review['candidates'][number] | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { taskId } = task
  const decide = async (body: DecisionBody, done: string) => {
    setFailing(false)
    setMerging(null)
    setBusy(true)
    await act('POST', `/tasks/${taskId}/review`, {
      body,
      done,
      reload: onDecided,
    })
    setBusy(false)
  }
  const choice = (name: string, onChoose: () => void) =>
    mayDecide && (
      <button type="button" disabled={isBusy} onClick={onChoose}>
        {name}
      </button>
    )
  return (
    <section class="review" aria-labelledby="review">
      <h2 id="review" tabIndex={-1}>
        Who is the patient?
      </h2>
      <p>{review.reason}.</p>
      <div class="comparison">
        <article>
          <h3>As sent</h3>
          <PatientTerms patient={review.sent} beside={null} />
          {choice(
            'Different person',
            () => void decide({ decision: 'new' }, `Task ${taskId}: saved as a new patient.`),
          )}
        </article>
        {review.candidates.map((candidate) => (
          <article key={candidate.id}>
            <h3>Known patient {candidate.id}</h3>
            <PatientTerms patient={candidate.patient} beside={review.sent} />
            {choice(`Same person as patient ${candidate.id}`, () => setMerging(candidate))}
          </article>
        ))}
      </div>
      {mayDecide ? (
        <button type="button" class="danger" disabled={isBusy} onClick={() => setFailing(true)}>
          Can’t tell: return to sender
        </button>
      ) : (
        <p>Only the operator of the service can decide.</p>
      )}
      {merging && (
        <ConfirmDialog
          title={`Same person as patient ${merging.id}?`}
          verb="Match the patient"
          onConfirm={() =>
            void decide(
              { decision: 'same', patientId: merging.id },
              `Task ${taskId}: matched to patient ${merging.id}.`,
            )
          }
          onClose={() => setMerging(null)}
        >
          Task {taskId} joins {count(merging.orders, 'order')} of patient {merging.id}, whose record takes what was
          sent. You can undo this until the signer has opened the document.
        </ConfirmDialog>
      )}
      {isFailing && (
        <ReasonDialog
          title={`Fail task ${taskId}`}
          text="The sender is told, with your reason, and can send the document again with the patient corrected."
          verb="Fail task"
          usual={['The patient id belongs to another patient', 'Send an identifier of the patient']}
          onReason={(reason) =>
            void decide({ decision: 'fail', reason }, `Task ${taskId} failed; the sender is notified.`)
          }
          onClose={() => setFailing(false)}
        />
      )}
    </section>
  )
}

/** Offers to undo the decision of a review, which the story of the task has. */
export function UndoReview({ taskId, onUndone }: { taskId: number; onUndone(): Promise<void> }) {
  const [isAsking, setAsking] = useState(false)
  const undo = () => {
    setAsking(false)
    const done = `Task ${taskId} is in review again.`
    return act('POST', `/tasks/${taskId}/review/undo`, { done, reload: onUndone })
  }
  return (
    <section class="panel" aria-label="Decision about the patient">
      <p class="bulk">
        A person decided who the patient is, and the signer has not opened the document yet.{' '}
        <button type="button" onClick={() => setAsking(true)}>
          Undo the decision
        </button>
      </p>
      {isAsking && (
        <ConfirmDialog
          title="Undo the decision?"
          verb="Undo the decision"
          onConfirm={() => void undo()}
          onClose={() => setAsking(false)}
        >
          Task {taskId} leaves the signer’s inbox and is in review again, as before the decision.
        </ConfirmDialog>
      )}
    </section>
  )
}
