/** How long ago each worker made its last round, second by second. A worker that is late, or no longer heard of, stands out. */
import { useEffect, useState } from 'preact/hooks'
import type { WorkerState } from '../../workers/health.ts'
import { useWorkers } from './changes.ts'

export function WorkerLine() {
  const heard = useWorkers()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(clock)
  }, [])
  if (!heard) return null
  const elapsedMs = Math.max(0, now - heard.at)
  return (
    <div class="workers">
      <span>In the process that answers:</span>
      <ul aria-label="Workers, last round">
        {heard.workers.map((worker) => (
          <WorkerItem key={worker.name} worker={worker} elapsedMs={elapsedMs} />
        ))}
      </ul>
    </div>
  )
}

function WorkerItem({ worker, elapsedMs }: { worker: WorkerState; elapsedMs: number }) {
  const { name, sinceRoundMs, sinceFaultMs, lateAfterMs } = worker
  const roundMs = sinceRoundMs === null ? null : sinceRoundMs + elapsedMs
  const isLate = roundMs === null || roundMs > lateAfterMs
  return (
    <li class={isLate ? 'late' : ''}>
      <strong>{name}</strong> <span class="term">last round </span>
      {roundMs === null ? 'not yet' : ago(roundMs)}
      {isLate && ', late'}
      {sinceFaultMs !== null && <small>, last fault {ago(sinceFaultMs + elapsedMs)}</small>}
    </li>
  )
}

function ago(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  if (seconds < 120) return `${seconds} s ago`
  return seconds < 2 * 3_600 ? `${Math.floor(seconds / 60)} min ago` : `${Math.floor(seconds / 3_600)} h ago`
}
