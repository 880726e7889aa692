/** Shows the results of a search, in groups; a single task is opened at once. */
import { useEffect, useState } from 'preact/hooks'
import type { FoundTasks, SearchBody } from '../../../operations/operator/messages/task-search.ts'
import { announceFailure } from '../../shared/connection.tsx'
import { goInstead } from '../../shared/route.ts'
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
    <ConsolePage title="Search" back={{ route: 'tasks', name: 'Tasks' }}>
      {search === '' && <p>Type what you know into the field at the top. {HINT}</p>}
      {search !== '' && !found && <p class="loading">Searching…</p>}
      {found && <Results found={found} />}
    </ConsolePage>
  )
}

const HINT =
  'You can search by task number, the sender’s order id, the id it was filed under, NPI, signer’s name, or patient: exact family name, birth date, or both.'

function onlyTask({ byId, byPatient, signers, isMore }: FoundTasks): number | null {
  const ids = new Set([...byId, ...byPatient].map(({ taskId }) => taskId))
  const [only] = ids
  return ids.size === 1 && signers.length === 0 && !isMore ? only! : null
}

function Results({ found: { byId, byPatient, isMore, signers } }: { found: FoundTasks }) {
  if (byId.length + byPatient.length + signers.length === 0) return <p class="empty">Nothing found. {HINT}</p>
  const group = (title: string, tasks: FoundTasks['byId']) =>
    tasks.length > 0 && (
      <section aria-label={title}>
        <h2>{title}</h2>
        <Table rows={tasks} keyOf={({ taskId }) => taskId} columns={taskColumns(tasks)} class="linked" />
      </section>
    )
  return (
    <>
      {group('Tasks with this number or id', byId)}
      {group('Tasks of patients with this name or birth date', byPatient)}
      {isMore && <p>There are more. Add the birth date to narrow the search.</p>}
      {signers.length > 0 && (
        <section aria-label="Signers">
          <h2>Signers</h2>
          <ul class="plain">
            {signers.map(({ npi, signingName, isActive }) => (
              <li key={npi}>
                <a href={`#/tasks?signer=${npi}`}>{signingName}</a> NPI {npi}
                {!isActive && ', not active'}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
