/** A document that the signer has signed or rejected; a signed one can be downloaded. */
import type { Past } from '../../../operations/signer/messages.ts'
import { localTime } from '../../shared/format.ts'
import { unturned } from '../../shared/given-text.tsx'
import { Icon } from '../../shared/icon.tsx'
import { DocumentLine, PatientLine } from './document-lines.tsx'

export function PastDocument({ document }: { document: Past }) {
  const { taskId, patient, outcome, at } = document
  const isSigned = outcome === 'Completed'
  return (
    <li class="document past">
      <PatientLine patient={patient} />
      <DocumentLine document={document} />
      <span class="ended">
        <span class={`badge ${outcome}`}>
          <Icon name={isSigned ? 'check' : 'x'} />
          {isSigned ? 'Signed' : 'Rejected'}
        </span>
        <small>{localTime(at)}</small>
      </span>
      {isSigned && (
        <a
          class="button"
          href={`/inbox/api/past/${taskId}/pdf`}
          download={`document-${taskId}.pdf`}
          aria-label={`PDF of the signed document of ${unturned(patient.name)}`}
        >
          <Icon name="download" /> PDF
        </a>
      )}
    </li>
  )
}
