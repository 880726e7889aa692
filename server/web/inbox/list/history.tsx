/** Lists what the signer has signed or rejected, the newest first, narrowed by a search. */
import { useState } from 'preact/hooks'
import { useTitle } from '../../shared/title.ts'
import { t } from '../../words/words.ts'
import { usePast, type Wanted } from './past.ts'
import { PastDocument } from './past-document.tsx'
import { SearchField } from './search-field.tsx'

export function History() {
  const [{ search, first, last }, setWanted] = useState<Wanted>({ search: '', first: '', last: '' })
  const narrow = (change: Partial<Wanted>) => setWanted((before) => ({ ...before, ...change }))
  const [{ documents, state, problem }, loadMore] = usePast({ search: search.trim(), first, last })
  const isNarrowed = search.trim() !== '' || first !== '' || last !== ''
  const heading = useTitle(t('inbox.signed'))
  const isEmpty = state === 'all' && documents.length === 0 && !problem
  return (
    <main class="list-page">
      <div class="list-head">
        <h1 ref={heading} tabIndex={-1}>
          {t('past.title')}
        </h1>
        <div class="narrowing">
          <SearchField value={search} onSearch={(words) => narrow({ search: words })} />
          <label class="day">
            {t('past.from')}
            <input type="date" value={first} onInput={({ currentTarget }) => narrow({ first: currentTarget.value })} />
          </label>
          <label class="day">
            {t('past.through')}
            <input type="date" value={last} onInput={({ currentTarget }) => narrow({ last: currentTarget.value })} />
          </label>
        </div>
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
      <p class={isNarrowed && state === 'loading' ? 'fine' : 'visually-hidden'} role="status">
        {isNarrowed && (state === 'loading' ? t('past.searching') : t('inbox.found', { count: documents.length }))}
      </p>
      {isEmpty && <p class="empty">{isNarrowed ? t('inbox.noMatch') : t('past.nothing')}</p>}
      <ul class="documents">
        {documents.map((document) => (
          <PastDocument key={document.taskId} document={document} />
        ))}
      </ul>
      {state === 'more' && (
        <button type="button" onClick={loadMore}>
          {isNarrowed ? t('past.further') : t('past.more')}
        </button>
      )}
    </main>
  )
}
