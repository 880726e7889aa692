/** Where a person decides who the patient is, as sent beside each known patient it may be. */
import { useState } from 'preact/hooks'
import type { DecisionBody, Review, TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { ReasonDialog } from '../../shared/dialogs/reason-dialog.tsx'
import { act } from '../act.ts'
import { PatientTerms } from './patient-terms.tsx'

interface ReviewDeskProps {
  file: TaskFile
  review: Review
  onDecided(): Promise<void>
}

export function ReviewDesk({ file: { task, mayDecide }, review, onDecided }: ReviewDeskProps) {
  const [isFailing, setFailing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { taskId } = task
  const decide = async (body: DecisionBody) => {
    setFailing(false)
    setBusy(true)
    await act('POST', `/tasks/${taskId}/review`, {
      body,
      done: `The decision on task ${taskId} has been saved.`,
      reload: onDecided,
    })
    setBusy(false)
  }
  const choice = (name: string, body: DecisionBody) =>
    mayDecide && (
      <button type="button" disabled={isBusy} onClick={() => void decide(body)}>
        {name}
      </button>
    )
  return (
    <section class="review" aria-labelledby="review">
      <h2 id="review">Who is the patient?</h2>
      <p>{review.reason}.</p>
      <div class="comparison">
        <article>
          <h3>As sent</h3>
          <PatientTerms patient={review.sent} beside={null} />
          {choice('A new patient', { decision: 'new' })}
        </article>
        {review.candidates.map(({ id, patient }) => (
          <article key={id}>
            <h3>Known patient {id}</h3>
            <PatientTerms patient={patient} beside={review.sent} />
            {choice(`The same as patient ${id}`, { decision: 'same', patientId: id })}
          </article>
        ))}
      </div>
      {mayDecide ? (
        <button type="button" class="danger" disabled={isBusy} onClick={() => setFailing(true)}>
          Neither: fail the task
        </button>
      ) : (
        <p>Only the operator of the service can decide.</p>
      )}
      {isFailing && (
        <ReasonDialog
          title={`Fail task ${taskId}`}
          text="The sender is told, with your reason, and can send the document again with the patient corrected."
          verb="Fail task"
          usual={['The patient id belongs to another patient', 'Send an identifier of the patient']}
          onReason={(reason) => void decide({ decision: 'fail', reason })}
          onClose={() => setFailing(false)}
        />
      )}
    </section>
  )
}
