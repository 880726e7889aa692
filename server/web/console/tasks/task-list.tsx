/** Tasks, the newest first: all, those of one status, or those that wait for a decision. */
import { useState } from 'preact/hooks'
import { taskStatuses } from '../../../../lib/contract/task/task-status.ts'
import type { OverviewTask } from '../../../operations/operator/messages/tasks.ts'
import { localTime } from '../../shared/format.ts'
import { useTitle } from '../../shared/title.ts'
import { useLive } from '../live.ts'
import { PAGE, ShowMore } from '../show-more.tsx'
import { Status } from './status.tsx'

export function TaskList({ inReview = false }: { inReview?: boolean }) {
  const [status, setStatus] = useState('')
  const [limit, setLimit] = useState(PAGE)
  const query = new URLSearchParams({
    limit: `${limit}`,
    ...(status && { status }),
    ...(inReview && { review: 'true' }),
  })
  const [tasks] = useLive<OverviewTask[]>(`/admin/v1/tasks?${query}`)
  const heading = useTitle(inReview ? 'Manual review' : 'Tasks')
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
                setLimit(PAGE)
                setStatus(event.currentTarget.value)
              }}
            >
              <option value="">All</option>
              {taskStatuses.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
      </div>
      {tasks?.length === 0 && (
        <p class="empty">{inReview ? 'No task waits for a decision.' : 'There is no such task.'}</p>
      )}
      {tasks && tasks.length > 0 && (
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
      <ShowMore shown={tasks?.length ?? 0} limit={limit} onMore={setLimit} />
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
