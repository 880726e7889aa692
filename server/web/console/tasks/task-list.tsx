/** Tasks, the newest first: all, those that filters let through, or those that wait for a decision. */
import type { OverviewTask } from '../../../operations/operator/messages/tasks.ts'
import { announceFailure } from '../../shared/connection.tsx'
import { Icon } from '../../shared/icon.tsx'
import { useListQuery } from '../../shared/route.ts'
import { t } from '../../words/words.ts'
import { ConsolePage } from '../console-page.tsx'
import { useKeptScroll } from '../kept-scroll.ts'
import { useLive } from '../live.ts'
import { saveFile } from '../save-file.ts'
import { NEWEST, partIn, partWords, queryOf, ShowMore } from '../show-more.tsx'
import { Table } from '../table.tsx'
import { taskColumns } from './task-columns.tsx'
import { filterQuery, TaskFilters } from './task-filters.tsx'

export function TaskList({ inReview = false, isOperator }: { inReview?: boolean; isOperator: boolean }) {
  const [wanted, change] = useListQuery()
  const narrowed = inReview ? { review: 'true' } : filterQuery(wanted)
  const part = partIn(wanted)
  const [tasks] = useLive<OverviewTask[]>(`/tasks?${new URLSearchParams({ ...queryOf(part), ...narrowed })}`)
  useKeptScroll(tasks !== null)
  const save = () =>
    saveFile(`/tasks/export?${new URLSearchParams(narrowed)}`, 'tasks.csv').catch((failure: unknown) =>
      announceFailure(failure),
    )
  return (
    <ConsolePage
      title={inReview ? t('task.manualReview') : t('console.tasks')}
      tools={
        <button type="button" class="quiet" onClick={() => void save()}>
          <Icon name="download" /> {t('list.csv')}
        </button>
      }
    >
      {!inReview && (
        <TaskFilters
          wanted={wanted}
          change={(filters) => change({ ...partWords(NEWEST), ...filters })}
          isOperator={isOperator}
        />
      )}
      <Table
        rows={tasks}
        keyOf={({ taskId }) => taskId}
        columns={taskColumns(tasks)}
        empty={emptyWords(inReview, Object.keys(narrowed).length > 0)}
        class="linked"
      />
      <ShowMore ids={tasks?.map(({ taskId }) => taskId) ?? []} part={part} onPart={(next) => change(partWords(next))} />
    </ConsolePage>
  )
}

function emptyWords(inReview: boolean, isNarrowed: boolean): string {
  if (inReview) return t('task.noneInReview')
  return isNarrowed ? t('task.noMatch') : t('task.noneYet')
}
