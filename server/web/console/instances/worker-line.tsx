/** The workers of the process that answers that are late or hindered; nothing while all are on time. */
import { parts, t } from '../../words/words.ts'
import { useWorkers } from '../changes.ts'
import { useSeconds } from './seconds.ts'
import { isTroubled, WorkerList } from './worker-list.tsx'

export function WorkerLine({ isOperator }: { isOperator: boolean }) {
  const heard = useWorkers()
  const now = useSeconds()
  if (!heard) return null
  const elapsedMs = Math.max(0, now - heard.at)
  const troubled = heard.workers.filter((worker) => isTroubled(worker, elapsedMs))
  if (troubled.length === 0) return null
  return (
    <aside class="status-line workers" aria-label={t('worker.late')}>
      <p>
        {isOperator
          ? parts('worker.somethingLateSee', { link: <a href="#/instances">{t('worker.allInstances')}</a> })
          : t('worker.somethingLate')}
      </p>
      <WorkerList workers={troubled} elapsedMs={elapsedMs} />
    </aside>
  )
}
