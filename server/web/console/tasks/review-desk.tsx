/** A person decides who the patient is: what was sent beside each patient it may be, with what differs marked. */
import { useState } from 'preact/hooks'
import type { DecisionBody, Review, TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { announce } from '../../shared/announce.tsx'
import { call, sentenceOf } from '../../shared/api.ts'
import { calendarDate } from '../../shared/format.ts'
import { ReasonDialog } from '../../shared/reason-dialog.tsx'

interface ReviewDeskProps {
  file: TaskFile
  review: Review
  onDecided(): Promise<void>
}

type Patient = Review['sent']

export function ReviewDesk({ file, review, onDecided }: ReviewDeskProps) {
  const [isFailing, setFailing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { taskId } = file.task
  const decide = async (body: DecisionBody) => {
    setFailing(false)
    setBusy(true)
    try {
      await call('POST', `/admin/v1/tasks/${taskId}/review`, body)
      announce(`Decided: task ${taskId} goes on.`)
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
    }
    setBusy(false)
    await onDecided()
  }
  const { sent, candidates } = review
  return (
    <section class="review" aria-labelledby="review">
      <h2 id="review">Who is the patient?</h2>
      <p>{review.reason}.</p>
      <div class="comparison">
        <article>
          <h3>As sent</h3>
          <Person patient={sent} beside={null} />
          {file.mayDecide && (
            <button type="button" disabled={isBusy} onClick={() => void decide({ decision: 'new' })}>
              A new patient
            </button>
          )}
        </article>
        {candidates.map(({ id, patient }) => (
          <article key={id}>
            <h3>Known patient {id}</h3>
            <Person patient={patient} beside={sent} />
            {file.mayDecide && (
              <button type="button" disabled={isBusy} onClick={() => void decide({ decision: 'same', patientId: id })}>
                The same as patient {id}
              </button>
            )}
          </article>
        ))}
      </div>
      {file.mayDecide ? (
        <button type="button" class="danger" disabled={isBusy} onClick={() => setFailing(true)}>
          Neither: fail the task
        </button>
      ) : (
        <p>The operator of the service decides.</p>
      )}
      {isFailing && (
        <ReasonDialog
          title={`Fail task ${taskId}`}
          text="The sender is told, with your reason, and sends the document again with a correct patient."
          verb="Fail task"
          usual={['The patient id belongs to another patient', 'Send an identifier of the patient']}
          onReason={(reason) => void decide({ decision: 'fail', reason })}
          onClose={() => setFailing(false)}
        />
      )}
    </section>
  )
}

function Person({ patient, beside }: { patient: Patient; beside: Patient | null }) {
  const rows = rowsOf(patient)
  const others = beside && new Map(rowsOf(beside))
  return (
    <dl>
      {rows.map(([term, text]) => {
        const differs = others !== null && others.get(term) !== text
        return (
          <div key={term} class={differs ? 'differs' : ''}>
            <dt>{term}</dt>
            <dd>
              {text || '—'}
              {differs && <small> differs</small>}
              {differs && <small class="sent">sent: {others?.get(term) || '—'}</small>}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

const rowsOf = ({
  externalId,
  names,
  birthDate,
  sex,
  addresses,
  identifiers,
  telecoms,
}: Patient): [string, string][] => [
  ['Name', names.map(({ given, family }) => `${given.join(' ')} ${family}`).join('; ')],
  ['Born', calendarDate(birthDate)],
  ['Sex', sex],
  ['Sender’s id', externalId],
  ['Identifiers', (identifiers ?? []).map(({ authority, value }) => `${authority.toUpperCase()} ${value}`).join('; ')],
  [
    'Address',
    addresses
      .map(({ line, city, state, postalCode }) => [line, city, state, postalCode].filter(Boolean).join(', '))
      .join('; '),
  ],
  ['Phone, e-mail', (telecoms ?? []).map(({ value }) => value ?? '').join('; ')],
]
