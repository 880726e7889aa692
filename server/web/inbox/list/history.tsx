/** Lists what the signer has signed or rejected, the newest first, narrowed by a search. */
import { useState } from 'preact/hooks'
import { count } from '../../shared/format.ts'
import { useTitle } from '../../shared/title.ts'
import { usePast } from './past.ts'
import { PastDocument } from './past-document.tsx'
import { SearchField } from './search-field.tsx'

export function History() {
  const [search, setSearch] = useState('')
  const wanted = search.trim()
  const [{ documents, state, problem }, loadMore] = usePast(wanted)
  const heading = useTitle('Signed')
  const isEmpty = state === 'all' && documents.length === 0 && !problem
  return (
    <main class="list-page">
      <div class="list-head">
        <h1 ref={heading} tabIndex={-1}>
          Signed and rejected
        </h1>
        <SearchField value={search} onSearch={setSearch} />
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
      <p class={wanted && state === 'loading' ? 'fine' : 'visually-hidden'} role="status">
        {wanted && (state === 'loading' ? 'Searching…' : `${count(documents.length, 'document')} found`)}
      </p>
      {isEmpty && (
        <p class="empty">{wanted ? 'No document matches the search.' : 'You have not signed anything yet.'}</p>
      )}
      <ul class="documents">
        {documents.map((document) => (
          <PastDocument key={document.taskId} document={document} />
        ))}
      </ul>
      {state === 'more' && (
        <button type="button" onClick={loadMore}>
          {wanted ? 'Search further back' : 'Show more'}
        </button>
      )}
    </main>
  )
}
