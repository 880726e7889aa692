/** The documents that wait, the oldest first, found again by any word of theirs. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ShownPatient, Waiting } from '../../../operations/signer/messages.ts'
import { calendarDate, count, waitingFor, yearsOld } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'

export function WaitingList({ documents }: { documents: Waiting[] | null }) {
  const [search, setSearch] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = 'Inbox · Countersign'
    heading.current?.focus()
  }, [])
  if (!documents) return <p class="loading">Loading…</p>
  const words = folded(search).split(/\s+/)
  const found = documents.filter((document) => words.every((word) => textOf(document).includes(word)))
  const overdue = documents.filter(({ isOverdue }) => isOverdue).length
  return (
    <main class="list-page">
      <div class="list-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {documents.length === 0 ? 'Nothing waits for you' : `${count(documents.length, 'document')} to sign`}
          </h1>
          {overdue > 0 && <p class="overdue-note">{count(overdue, 'document')} overdue</p>}
        </div>
        {documents.length > 0 && (
          <label class="search">
            <Icon name="search" />
            <span class="only-heard">Search patient, document or sender</span>
            <input
              type="search"
              placeholder="Search patient, document, sender"
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
            />
          </label>
        )}
      </div>
      <p class="only-heard" role="status">
        {search ? `${count(found.length, 'document')} found` : ''}
      </p>
      {documents.length === 0 && <p class="empty">New documents show up here by themselves.</p>}
      {documents.length > 0 && found.length === 0 && <p class="empty">No document matches the search.</p>}
      <ul class="documents">
        {found.map((document) => (
          <Row key={document.taskId} document={document} />
        ))}
      </ul>
    </main>
  )
}

function Row({ document }: { document: Waiting }) {
  const { taskId, patient, documentType, clinicalDate, sender, arrivedAt, isOverdue } = document
  return (
    <li>
      <a class="document" href={`#/documents/${taskId}`}>
        <span class="who">
          <strong>{patient.name}</strong>
          <PatientLine patient={patient} />
        </span>
        <span class="what">
          <span>{documentType}</span>
          <small>
            Dated {calendarDate(clinicalDate)} · {sender}
          </small>
        </span>
        <span class={isOverdue ? 'age overdue' : 'age'}>
          <Icon name={isOverdue ? 'warning' : 'clock'} />
          {isOverdue && <span class="only-heard">Overdue, </span>}
          <span class="only-heard">waiting: </span>
          {waitingFor(arrivedAt, Date.now())}
        </span>
      </a>
    </li>
  )
}

export const PatientLine = ({ patient: { birthDate, sex, mrn } }: { patient: ShownPatient }) => (
  <small>
    {calendarDate(birthDate)} ({yearsOld(birthDate, new Date())}) · {sex}
    {mrn && ` · MRN ${mrn}`}
  </small>
)

const textOf = ({ patient, documentType, clinicalDate, sender }: Waiting): string =>
  folded(
    [patient.name, patient.birthDate, patient.mrn, documentType, clinicalDate, calendarDate(clinicalDate), sender].join(
      ' ',
    ),
  )

/** Without case and accents, so that `nunez` finds Núñez. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
