/** Shows the results of a search, in groups; a single task is opened at once. */
import { useEffect, useState } from 'preact/hooks'
import type { FoundTasks, SearchBody } from '../../../operations/operator/messages/task-search.ts'
import { announceFailure } from '../../shared/connection.tsx'
import { goInstead } from '../../shared/route.ts'
import { t } from '../../words/words.ts'
import { callAdmin } from '../admin-api.ts'
import { ConsolePage } from '../console-page.tsx'
import { useKeptScroll } from '../kept-scroll.ts'
import { Table } from '../table.tsx'
import { taskColumns } from '../tasks/task-columns.tsx'
import { useSearch } from './search-state.ts'

export function FindPage() {
  const search = useSearch()
  const [found, setFound] = useState<FoundTasks | null>(null)
  useKeptScroll(found !== null)
  useEffect(() => {
    let isCurrent = true
    setFound(null)
    if (search === '') return
    const body: SearchBody = { search }
    callAdmin<FoundTasks>('POST', '/tasks/search', body).then(
      (answer) => {
        if (!isCurrent) return
        const only = onlyTask(answer)
        if (only === null) setFound(answer)
        else goInstead(`tasks/${only}`)
      },
      (failure: unknown) => isCurrent && announceFailure(failure),
    )
    return () => {
      isCurrent = false
    }
  }, [search])
  return (
    <ConsolePage title={t('find.title')} back={{ route: 'tasks', name: t('console.tasks') }}>
      {search === '' && <p>{t('find.start', { hint: t('find.hint') })}</p>}
      {search !== '' && !found && <p class="loading">{t('find.searching')}</p>}
      {found && <Results found={found} />}
    </ConsolePage>
  )
}

function onlyTask({ byId, byPatient, signers, isMore }: FoundTasks): number | null {
  const ids = new Set([...byId, ...byPatient].map(({ taskId }) => taskId))
  const [only] = ids
  return ids.size === 1 && signers.length === 0 && !isMore ? only! : null
}

function Results({ found: { byId, byPatient, isMore, signers } }: { found: FoundTasks }) {
  if (byId.length + byPatient.length + signers.length === 0)
    return <p class="empty">{t('find.nothing', { hint: t('find.hint') })}</p>
  const group = (title: string, tasks: FoundTasks['byId']) =>
    tasks.length > 0 && (
      <section aria-label={title}>
        <h2>{title}</h2>
        <Table rows={tasks} keyOf={({ taskId }) => taskId} columns={taskColumns(tasks)} class="linked" />
      </section>
    )
  return (
    <>
      {group(t('find.byId'), byId)}
      {group(t('find.byPatient'), byPatient)}
      {isMore && <p>{t('find.more')}</p>}
      {signers.length > 0 && (
        <section aria-label={t('find.signers')}>
          <h2>{t('find.signers')}</h2>
          <ul class="plain">
            {signers.map(({ npi, signingName, isActive }) => (
              <li key={npi}>
                <a href={`#/tasks?signer=${npi}`}>{signingName}</a>{' '}
                {t(isActive ? 'find.npi' : 'find.npiInactive', { npi })}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
