/** What the signer signed or rejected, the newest first. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Past } from '../../../operations/signer/messages.ts'
import { call, sentenceOf } from '../../shared/api.ts'
import { calendarDate, localTime } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { PatientLine } from './waiting-list.tsx'

/** As many as the server sends at once. */
const PAGE = 100

export function History() {
  const [documents, setDocuments] = useState<Past[]>([])
  const [state, setState] = useState<'loading' | 'more' | 'all'>('loading')
  const [problem, setProblem] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const load = async (known: Past[]) => {
    try {
      const before = known.at(-1)?.taskId
      const next = await call<Past[]>('GET', `/inbox/api/past${before === undefined ? '' : `?before=${before}`}`)
      setDocuments([...known, ...next])
      setState(next.length === PAGE ? 'more' : 'all')
    } catch (failure) {
      setProblem(sentenceOf(failure))
      setState('all')
    }
  }
  useEffect(() => {
    document.title = 'Signed · Countersign'
    heading.current?.focus()
    void load([])
  }, [])
  return (
    <main class="list-page">
      <h1 ref={heading} tabIndex={-1}>
        Signed and rejected
      </h1>
      <p class="problem" role="alert">
        {problem}
      </p>
      {state === 'all' && documents.length === 0 && !problem && <p class="empty">You have not signed anything yet.</p>}
      <ul class="documents">
        {documents.map((document) => (
          <li key={document.taskId} class="document past">
            <span class="who">
              <strong>{document.patient.name}</strong>
              <PatientLine patient={document.patient} />
            </span>
            <span class="what">
              <span>{document.documentType}</span>
              <small>
                Dated {calendarDate(document.clinicalDate)} · {document.sender}
              </small>
            </span>
            <span class="ended">
              <span class={`badge ${document.outcome}`}>
                <Icon name={document.outcome === 'Completed' ? 'check' : 'x'} />
                {document.outcome === 'Completed' ? 'Signed' : 'Rejected'}
              </span>
              <small>{localTime(document.at)}</small>
            </span>
            {document.outcome === 'Completed' && (
              <a
                class="button"
                href={`/inbox/api/past/${document.taskId}/pdf`}
                download={`document-${document.taskId}.pdf`}
                aria-label={`PDF of the signed document of ${document.patient.name}`}
              >
                <Icon name="download" /> PDF
              </a>
            )}
          </li>
        ))}
      </ul>
      {state === 'more' && (
        <button type="button" onClick={() => void load(documents)}>
          Show more
        </button>
      )}
    </main>
  )
}
