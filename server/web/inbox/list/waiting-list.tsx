/** The documents that wait, the oldest first, which a search narrows to those that have all of its words. */
import { useState } from 'preact/hooks'
import type { Waiting } from '../../../operations/signer/messages.ts'
import { calendarDate, count, waitingFor } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { useTitle } from '../../shared/title.ts'
import { DocumentLine, PatientLine } from './document-lines.tsx'

export function WaitingList({ documents }: { documents: readonly Waiting[] | null }) {
  const [search, setSearch] = useState('')
  const heading = useTitle('Inbox')
  if (!documents) return <p class="loading">Loading…</p>
  const words = folded(search).split(/\s+/)
  const found = documents.filter((document) => words.every((word) => textOf(document).includes(word)))
  const overdue = documents.filter(({ isOverdue }) => isOverdue).length
  return (
    <main class="list-page">
      <div class="list-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {documents.length === 0 ? 'No documents to sign' : `${count(documents.length, 'document')} to sign`}
          </h1>
          {overdue > 0 && <p class="overdue-label">{count(overdue, 'document')} overdue</p>}
        </div>
        {documents.length > 0 && (
          <label class="search">
            <Icon name="search" />
            <span class="visually-hidden">Search patient, document or sender</span>
            <input
              type="search"
              placeholder="Search patient, document, sender"
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
            />
          </label>
        )}
      </div>
      <p class="visually-hidden" role="status">
        {search ? `${count(found.length, 'document')} found` : ''}
      </p>
      {documents.length === 0 && <p class="empty">New documents appear here by themselves.</p>}
      {documents.length > 0 && found.length === 0 && <p class="empty">No document matches the search.</p>}
      <ul class="documents">
        {found.map((document) => (
          <WaitingDocument key={document.taskId} document={document} />
        ))}
      </ul>
    </main>
  )
}

const WaitingDocument = ({ document }: { document: Waiting }) => (
  <li>
    <a class="document" href={`#/documents/${document.taskId}`}>
      <PatientLine patient={document.patient} />
      <DocumentLine document={document} />
      <span class={document.isOverdue ? 'age overdue' : 'age'}>
        <Icon name={document.isOverdue ? 'warning' : 'clock'} />
        {document.isOverdue && <span class="visually-hidden">Overdue, </span>}
        <span class="visually-hidden">waiting: </span>
        {waitingFor(document.arrivedAt, Date.now())}
      </span>
    </a>
  </li>
)

function textOf({ patient, documentType, clinicalDate, sender }: Waiting): string {
  const { name, birthDate, mrn } = patient
  return folded([name, birthDate, mrn, documentType, clinicalDate, calendarDate(clinicalDate), sender].join(' '))
}

/** Without case and accents, so that `nunez` finds Núñez. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
