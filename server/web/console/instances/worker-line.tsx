/** How the workers of the process that answers are doing, second by second. */
import { useWorkers } from '../changes.ts'
import { useSeconds } from './seconds.ts'
import { WorkerList } from './worker-list.tsx'

export function WorkerLine({ isOperator }: { isOperator: boolean }) {
  const heard = useWorkers()
  const now = useSeconds()
  if (!heard) return null
  return (
    <div class="workers">
      <p>
        In the process that answers
        {isOperator && (
          <>
            {' '}
            (<a href="#/instances">all</a>)
          </>
        )}
        :
      </p>
      <WorkerList workers={heard.workers} elapsedMs={Math.max(0, now - heard.at)} />
    </div>
  )
}
