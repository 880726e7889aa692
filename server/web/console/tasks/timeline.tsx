/** Everything that happened to a task, in order: who did what, each change of status, and how the sender was told. */
import type { TaskAct, TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { localTime } from '../../shared/format.ts'
import { Attempts } from '../deliveries/attempts.tsx'
import { EndedBy } from '../deliveries/ended-by.tsx'
import { Redeliver } from '../deliveries/redeliver.tsx'
import { Status } from './status.tsx'

interface TimelineProps {
  file: TaskFile
  onChange(): Promise<void>
}

export function Timeline({ file, onChange }: TimelineProps) {
  const audited = file.acts
    .filter(({ action }) => action in actions)
    .map((entry, index) => ({ key: `audit${index}`, at: entry.at, what: <Audited entry={entry} /> }))
  const events = file.events.map(({ eventId, status, at }) => ({
    key: eventId,
    at,
    what: (
      <>
        <Status status={status} />
        {file.deliveries
          .filter((delivery) => delivery.eventId === eventId)
          .map((delivery) => (
            <Told key={delivery.id} delivery={delivery} onChange={onChange} />
          ))}
      </>
    ),
  }))
  const entries = [...audited, ...events].sort((a, b) => a.at.localeCompare(b.at))
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

/** The actions shown. Those that change the status are left out: each has an event, which says more than its audit entry. */
const actions: Partial<Record<TaskAct['action'], string>> = {
  'task.create': 'Created',
  'task.record': 'Outcome recorded',
  'task.review': 'Patient decided',
  'document.read': 'Document read',
  'document.copy': 'Copy of the document given out before signing',
  'document.differ': 'Not sealed: the result would have differed from what was shown',
  'task.remove-contents': 'Document and patient removed, because the task ended long ago',
  'seal.fail': 'Not sealed: the seal would not have been valid',
}

const actors: Record<TaskAct['actor'], string> = {
  key: 'the sender, key',
  signer: 'the signer, NPI',
  service: 'the service',
  operator: 'an operator, account',
  visitor: 'a visitor',
}

const Audited = ({ entry: { action, actor, actorId, personName } }: { entry: TaskAct }) => (
  <>
    {actions[action]}{' '}
    <small>
      by {personName ? `${personName}, with key` : actors[actor]} {actorId}
    </small>
  </>
)

function Told({ delivery, onChange }: { delivery: TaskFile['deliveries'][number]; onChange(): Promise<void> }) {
  return (
    <div class="told">
      <p>
        Delivery {delivery.id} to subscription {delivery.subscriptionId}: <strong>{delivery.state}</strong>
        {delivery.nextAttemptAt && <small> next attempt {localTime(delivery.nextAttemptAt)}</small>}{' '}
        <EndedBy delivery={delivery} />
      </p>
      <Attempts attempts={delivery.log} />
      <Redeliver delivery={delivery} onDone={onChange} />
    </div>
  )
}
