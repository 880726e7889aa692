/** Everything that happened to a task, in order: who did what, each change of status, and how the sender was told. */
import type { Attempt } from '../../../operations/operator/messages/deliveries.ts'
import type { TaskAct, TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { localTime } from '../../shared/format.ts'
import { outcomeOf, Redeliver } from '../deliveries/delivery-parts.tsx'
import { Status } from './status.tsx'

interface TimelineProps {
  file: TaskFile
  onChange(): Promise<void>
}

const done: Partial<Record<TaskAct['action'], string>> = {
  'task.create': 'Created',
  'task.record': 'Outcome recorded',
  'task.review': 'Patient decided',
  'document.read': 'Document read',
  'document.differ': 'Not sealed: it would not have been what was shown',
  'seal.fail': 'Not sealed: its seal would not have been valid',
}

const actors: Record<TaskAct['actor'], string> = {
  key: 'the sender, key',
  signer: 'the signer, NPI',
  service: 'the service',
  operator: 'an operator, account',
  visitor: 'a visitor',
}

/** Changes of status have an event each, which says more than the log. */
export function Timeline({ file, onChange }: TimelineProps) {
  const acts = file.acts
    .filter(({ action }) => action in done)
    .map((act, index) => ({ key: `act${index}`, at: act.at, what: <Act act={act} /> }))
  const events = file.events.map((event) => ({
    key: event.eventId,
    at: event.at,
    what: (
      <>
        <Status status={event.status} />
        {file.deliveries
          .filter(({ eventId }) => eventId === event.eventId)
          .map((delivery) => (
            <Told key={delivery.id} delivery={delivery} onChange={onChange} />
          ))}
      </>
    ),
  }))
  const entries = [...acts, ...events].sort((a, b) => a.at.localeCompare(b.at))
  return (
    <section class="timeline" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <ol>
        {entries.map(({ key, at, what }) => (
          <li key={key}>
            <time dateTime={at}>{localTime(at)}</time>
            <div>{what}</div>
          </li>
        ))}
      </ol>
    </section>
  )
}

const Act = ({ act: { action, actor, actorId } }: { act: TaskAct }) => (
  <>
    {done[action]}{' '}
    <small>
      by {actors[actor]} {actorId}
    </small>
  </>
)

function Told({ delivery, onChange }: { delivery: TaskFile['deliveries'][number]; onChange(): Promise<void> }) {
  return (
    <div class="told">
      <p>
        Delivery {delivery.id} to subscription {delivery.subscriptionId}: <strong>{delivery.state}</strong>
        {delivery.nextAttemptAt && <small> next attempt {localTime(delivery.nextAttemptAt)}</small>}
      </p>
      <Attempts attempts={delivery.log} />
      <Redeliver delivery={delivery} onDone={onChange} />
    </div>
  )
}

export const Attempts = ({ attempts }: { attempts: readonly Attempt[] }) => (
  <ol class="attempts">
    {attempts.map((attempt) => (
      <li key={attempt.attemptNumber}>
        Attempt {attempt.attemptNumber}
        {attempt.trigger === 'manual' && ', by hand'}: {outcomeOf(attempt)}
        <small>
          {' '}
          {localTime(attempt.startedAt)}, {attempt.durationMs} ms
        </small>
      </li>
    ))}
  </ol>
)
