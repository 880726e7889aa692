/** Tasks, the newest first: all, those of one status, or those that wait for a decision. */
import { useState } from 'preact/hooks'
import type { OverviewTask } from '../../console/messages.ts'
import { call } from '../shared/api.ts'
import { localTime } from '../shared/format.ts'
import { useTitle } from '../shared/title.ts'
import { useLive } from './live.ts'
import { Status } from './status.tsx'

const statuses = [
  'Received',
  'Processing',
  'Pending',
  'Completed',
  'Rejected',
  'Retracted',
  'Failed',
  'Cancelled',
] as const

/** As many as the server sends at once. */
const PAGE = 100

export function TaskList({ inReview = false }: { inReview?: boolean }) {
  const [status, setStatus] = useState('')
  const [older, setOlder] = useState<OverviewTask[]>([])
  const query = new URLSearchParams({ ...(status && { status }), ...(inReview && { review: 'true' }) })
  const [newest] = useLive<OverviewTask[]>(`/console/api/tasks?${query}`)
  const heading = useTitle(inReview ? 'Manual review' : 'Tasks')
  const tasks = [...(newest ?? []), ...older]
  const last = tasks.at(-1)
  const showMore = async () => {
    const next = new URLSearchParams(query)
    next.set('before', String(last?.taskId))
    setOlder([...older, ...(await call<OverviewTask[]>('GET', `/console/api/tasks?${next}`))])
  }
  return (
    <main class="console-page">
      <div class="console-head">
        <h1 ref={heading} tabIndex={-1}>
          {inReview ? 'Manual review' : 'Tasks'}
        </h1>
        {!inReview && (
          <label class="filter">
            Status
            <select
              value={status}
              onChange={(event) => {
                setOlder([])
                setStatus(event.currentTarget.value)
              }}
            >
              <option value="">All</option>
              {statuses.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
      </div>
      {newest && tasks.length === 0 && (
        <p class="empty">{inReview ? 'No task waits for a decision.' : 'There is no such task.'}</p>
      )}
      {tasks.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Task</th>
              <th scope="col">Status</th>
              <th scope="col">Document</th>
              <th scope="col">Signer</th>
              <th scope="col">Sender</th>
              <th scope="col">Changed</th>
            </tr>
          </thead>
          <tbody>
            {tasks.map((task) => (
              <Row key={task.taskId} task={task} />
            ))}
          </tbody>
        </table>
      )}
      {(older.length > 0 ? older.length : tasks.length) % PAGE === 0 && tasks.length > 0 && (
        <button type="button" onClick={() => void showMore()}>
          Show more
        </button>
      )}
    </main>
  )
}

function Row({ task }: { task: OverviewTask }) {
  const { taskId, status, inReview, documentType, externalDocId, signer, sender, updatedAt } = task
  return (
    <tr>
      <th scope="row">
        <a href={`#/tasks/${taskId}`}>{taskId}</a>
      </th>
      <td data-label="Status">
        <Status status={status} note={inReview ? 'review' : ''} />
      </td>
      <td data-label="Document">
        {documentType}
        <small>{externalDocId}</small>
      </td>
      <td data-label="Signer">{signer}</td>
      <td data-label="Sender">{sender}</td>
      <td data-label="Changed">{localTime(updatedAt)}</td>
    </tr>
  )
}
