/** A document that the signer has signed or rejected; a signed one can be looked at and downloaded. */
import type { Past } from '../../../operations/signer/messages.ts'
import { exactTime } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { GivenText, unturned } from '../../shared/text/given-text.tsx'
import { parts, t } from '../../words/words.ts'
import { DocumentLine, PatientLine } from './document-lines.tsx'

export function PastDocument({ document }: { document: Past }) {
  const { taskId, patient, outcome, at, reason, sentence } = document
  const isSigned = outcome === 'Completed'
  return (
    <li class="document past">
      <PatientLine patient={patient} />
      <DocumentLine document={document} />
      <span class="ended">
        <span class={`badge ${outcome}`}>
          <Icon name={isSigned ? 'check' : 'x'} />
          {isSigned ? t('past.isSigned') : t('past.isRejected')}
        </span>
        <small>
          {exactTime(at)} ·{' '}
          <span lang="en">
            <GivenText>{sentence}</GivenText>
          </span>
        </small>
      </span>
      {isSigned && (
        <span class="past-actions">
          <a class="button" href={`#/signed/${taskId}`} aria-label={t('past.viewOf', { name: unturned(patient.name) })}>
            <Icon name="file" /> {t('past.view')}
          </a>
          <SignedPdfLink taskId={taskId} name={t('past.pdfOf', { name: unturned(patient.name) })} />
        </span>
      )}
      {reason && <span class="past-reason">{parts('past.reason', { reason: <GivenText>{reason}</GivenText> })}</span>}
    </li>
  )
}

/** @param name what a screen reader calls it */
export const SignedPdfLink = ({ taskId, name }: { taskId: number; name: string }) => (
  <a class="button" href={`/inbox/api/past/${taskId}/pdf`} download={`document-${taskId}.pdf`} aria-label={name}>
    <Icon name="download" /> PDF
  </a>
)
