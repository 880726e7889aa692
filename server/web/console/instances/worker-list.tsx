/** How long ago each worker made its last round. A worker that is late, or no longer seen, is highlighted. */
import type { WorkerState } from '../../../domain/worker-health.ts'
import { t } from '../../words/words.ts'
import { ago } from './seconds.ts'

interface WorkerListProps {
  workers: readonly WorkerState[]
  /** Since they were as they say. */
  elapsedMs: number
}

export const WorkerList = ({ workers, elapsedMs }: WorkerListProps) => (
  <ul aria-label={t('worker.lastRounds')}>
    {workers.map((worker) => (
      <WorkerItem key={worker.name} worker={worker} elapsedMs={elapsedMs} />
    ))}
  </ul>
)

/** Each by the name that the service gives it. */
const names: Readonly<Record<string, string>> = {
  ingestion: t('worker.ingestion'),
  deliveries: t('worker.deliveries'),
  retention: t('worker.retention'),
  'object removal': t('worker.objectRemoval'),
  'e-mail notices': t('worker.notices'),
  'demo signers': t('worker.scripts'),
}

const isLateAt = ({ sinceRoundMs, lateAfterMs }: WorkerState, elapsedMs: number) =>
  sinceRoundMs === null || sinceRoundMs + elapsedMs > lateAfterMs

/** Whether a person has to know about it. */
export const isTroubled = (worker: WorkerState, elapsedMs: number): boolean =>
  isLateAt(worker, elapsedMs) || worker.problem !== undefined

function WorkerItem({ worker, elapsedMs }: { worker: WorkerState; elapsedMs: number }) {
  const { name, sinceRoundMs, sinceFaultMs, problem } = worker
  const roundMs = sinceRoundMs === null ? null : sinceRoundMs + elapsedMs
  const isLate = isLateAt(worker, elapsedMs)
  return (
    <li class={isLate ? 'late' : ''}>
      <strong>{names[name] ?? name}</strong>{' '}
      {t(isLate ? 'worker.lastRoundLate' : 'worker.lastRound', {
        ago: roundMs === null ? t('worker.notYet') : ago(roundMs),
      })}
      {sinceFaultMs !== null && <small>{t('worker.fault', { ago: ago(sinceFaultMs + elapsedMs) })}</small>}
      {problem && <p class="problem">{problem}</p>}
    </li>
  )
}
