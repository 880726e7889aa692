/** Tasks, the newest first: all, those in one status, or those that wait for a decision. */
import { taskStatuses } from '../../../../lib/contract/task/task-status.ts'
import type { OverviewTask } from '../../../operations/operator/messages/tasks.ts'
import { localTime } from '../../shared/format.ts'
import { useListQuery } from '../../shared/route.ts'
import { ConsolePage } from '../console-page.tsx'
import { allOr, Filter } from '../filter.tsx'
import { useKeptScroll } from '../kept-scroll.ts'
import { useLive } from '../live.ts'
import { NEWEST, partIn, partWords, queryOf, ShowMore } from '../show-more.tsx'
import { type Columns, Table } from '../table.tsx'
import { Status } from './status.tsx'

export function TaskList({ inReview = false }: { inReview?: boolean }) {
  const [wanted, change] = useListQuery()
  const status = taskStatuses.find((known) => known === wanted.get('status')) ?? ''
  const part = partIn(wanted)
  const query = new URLSearchParams({
    ...queryOf(part),
    ...(status && { status }),
    ...(inReview && { review: 'true' }),
  })
  const [tasks] = useLive<OverviewTask[]>(`/tasks?${query}`)
  useKeptScroll(tasks !== null)
  return (
    <ConsolePage
      title={inReview ? 'Manual review' : 'Tasks'}
      tools={
        !inReview && (
          <Filter
            label="Status"
            value={status}
            options={allOr(taskStatuses)}
            onChange={(status) => change({ ...partWords(NEWEST), status })}
          />
        )
      }
    >
      <Table
        rows={tasks}
        keyOf={({ taskId }) => taskId}
        columns={columns}
        empty={emptyWords(inReview, status !== '')}
      />
      <ShowMore ids={tasks?.map(({ taskId }) => taskId) ?? []} part={part} onPart={(next) => change(partWords(next))} />
    </ConsolePage>
  )
}

function emptyWords(inReview: boolean, isNarrowed: boolean): string {
  if (inReview) return 'No task is waiting for a review.'
  return isNarrowed
    ? 'No tasks match this filter. Choose the status “All” to see every task.'
    : 'No tasks yet. A task appears here when a sender creates one.'
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
