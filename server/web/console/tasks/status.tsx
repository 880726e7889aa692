import type { TaskStatus } from '../../../../lib/contract/task/task.ts'
import { t } from '../../words/words.ts'

/** The status of a task as a badge, and what it says beyond the status. */
export const Status = ({ status, detail = '' }: { status: TaskStatus; detail?: string }) => (
  <span class={`badge ${status}`}>
    {t(`status.${status}`)}
    {detail && ` · ${detail}`}
  </span>
)
