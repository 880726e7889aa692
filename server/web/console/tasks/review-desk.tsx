/** Where a person decides who the patient is, as sent alongside each known patient it may be. */
import { useState } from 'preact/hooks'
import type { DecisionBody, Review, TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { ReasonDialog } from '../../shared/dialogs/reason-dialog.tsx'
import { t } from '../../words/words.ts'
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
        {t('review.who')}
      </h2>
      <p>{review.reason}.</p>
      <div class="comparison">
        <article>
          <h3>{t('review.asSent')}</h3>
          <PatientTerms patient={review.sent} beside={null} />
          {choice(
            t('review.different'),
            () => void decide({ decision: 'new' }, t('review.savedNew', { id: String(taskId) })),
          )}
        </article>
        {review.candidates.map((candidate) => (
          <article key={candidate.id}>
            <h3>{t('review.known', { id: String(candidate.id) })}</h3>
            <PatientTerms patient={candidate.patient} beside={review.sent} />
            {choice(t('review.same', { id: String(candidate.id) }), () => setMerging(candidate))}
          </article>
        ))}
      </div>
      {mayDecide ? (
        <button type="button" class="danger" disabled={isBusy} onClick={() => setFailing(true)}>
          {t('review.fail')}
        </button>
      ) : (
        <p>{t('review.operatorOnly')}</p>
      )}
      {merging && (
        <ConfirmDialog
          title={t('review.sameAsk', { id: String(merging.id) })}
          verb={t('review.match')}
          onConfirm={() =>
            void decide(
              { decision: 'same', patientId: merging.id },
              t('review.matched', { id: String(taskId), patient: String(merging.id) }),
            )
          }
          onClose={() => setMerging(null)}
        >
          {t('review.mergeText', { id: String(taskId), count: merging.orders, patient: String(merging.id) })}
        </ConfirmDialog>
      )}
      {isFailing && (
        <ReasonDialog
          title={t('review.failTitle', { id: String(taskId) })}
          text={t('review.failText')}
          verb={t('review.failVerb')}
          usual={[t('review.otherId'), t('review.sendId')]}
          onReason={(reason) => void decide({ decision: 'fail', reason }, t('review.failed', { id: String(taskId) }))}
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
    const done = t('review.again', { id: String(taskId) })
    return act('POST', `/tasks/${taskId}/review/undo`, { done, reload: onUndone })
  }
  return (
    <section class="panel" aria-label={t('review.decision')}>
      <p class="bulk">
        {t('review.decided')}{' '}
        <button type="button" onClick={() => setAsking(true)}>
          {t('review.undo')}
        </button>
      </p>
      {isAsking && (
        <ConfirmDialog
          title={t('review.undoAsk')}
          verb={t('review.undo')}
          onConfirm={() => void undo()}
          onClose={() => setAsking(false)}
        >
          {t('review.undoText', { id: String(taskId) })}
        </ConfirmDialog>
      )}
    </section>
  )
}
