/** What the signer has signed or rejected, the newest first. */
import { useEffect, useState } from 'preact/hooks'
import type { Past } from '../../../operations/signer/messages.ts'
import { call, sentenceOf } from '../../shared/api.ts'
import { useTitle } from '../../shared/title.ts'
import { PastDocument } from './past-document.tsx'

/** How many the server sends at once. */
const PAGE_SIZE = 100

export function History() {
  const [documents, setDocuments] = useState<Past[]>([])
  const [state, setState] = useState<'loading' | 'more' | 'all'>('loading')
  const [problem, setProblem] = useState('')
  const heading = useTitle('Signed')
  const load = async (known: Past[]) => {
    try {
      const before = known.at(-1)?.taskId
      const next = await call<Past[]>('GET', `/inbox/api/past${before === undefined ? '' : `?before=${before}`}`)
      setDocuments([...known, ...next])
      setState(next.length === PAGE_SIZE ? 'more' : 'all')
    } catch (failure) {
      setProblem(sentenceOf(failure))
      setState('all')
    }
  }
  useEffect(() => {
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
          <PastDocument key={document.taskId} document={document} />
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
