/** Tasks, the newest first: all, those in one status, or those that wait for a decision. */
import { useState } from 'preact/hooks'
import { taskStatuses } from '../../../../lib/contract/task/task-status.ts'
import type { OverviewTask } from '../../../operations/operator/messages/tasks.ts'
import { localTime } from '../../shared/format.ts'
import { ConsolePage } from '../console-page.tsx'
import { allOr, Filter } from '../filter.tsx'
import { useLive } from '../live.ts'
import { NEWEST, queryOf, ShowMore } from '../show-more.tsx'
import { type Columns, Table } from '../table.tsx'
import { Status } from './status.tsx'

export function TaskList({ inReview = false }: { inReview?: boolean }) {
  const [status, setStatus] = useState('')
  const [part, setPart] = useState(NEWEST)
  const query = new URLSearchParams({
    ...queryOf(part),
    ...(status && { status }),
    ...(inReview && { review: 'true' }),
  })
  const [tasks] = useLive<OverviewTask[]>(`/tasks?${query}`)
  const filter = (wanted: string) => {
    setPart(NEWEST)
    setStatus(wanted)
  }
  return (
    <ConsolePage
      title={inReview ? 'Manual review' : 'Tasks'}
      tools={!inReview && <Filter label="Status" value={status} options={allOr(taskStatuses)} onChange={filter} />}
    >
      <Table
        rows={tasks}
        keyOf={({ taskId }) => taskId}
        columns={columns}
        empty={inReview ? 'No task waits for a decision.' : 'There are no such tasks.'}
      />
      <ShowMore ids={tasks?.map(({ taskId }) => taskId) ?? []} part={part} onPart={setPart} />
    </ConsolePage>
  )
}

const columns: Columns<OverviewTask> = [
  { name: 'Task', cell: ({ taskId }) => <a href={`#/tasks/${taskId}`}>{taskId}</a> },
  { name: 'Status', cell: ({ status, inReview }) => <Status status={status} detail={inReview ? 'review' : ''} /> },
  {
    name: 'Document',
    cell: ({ documentType, externalDocId }) => (
      <>
        {documentType}
        <small>{externalDocId}</small>
      </>
    ),
  },
  { name: 'Signer', cell: ({ signer }) => signer },
  { name: 'Sender', cell: ({ sender }) => sender },
  { name: 'Changed', cell: ({ updatedAt }) => localTime(updatedAt) },
]
