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
          sent. This cannot be undone.
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
