/** The attempts at a delivery, each with its outcome in words. */
import type { Attempt } from '../../../operations/operator/messages/deliveries.ts'
import { localTime } from '../../shared/format.ts'

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
        {attempt.answer && <code class="answer">{attempt.answer}</code>}
      </li>
    ))}
  </ol>
)

const outcomes: Readonly<Record<Attempt['outcome'], string>> = {
  delivered: 'delivered',
  http: 'refused',
  timeout: 'no answer in time',
  connection: 'no connection',
  dns: 'name not found',
  tls: 'certificate not accepted',
  blocked_target: 'address not allowed',
}

/** Says how an attempt ended, such as `refused, answer 500`. */
export const outcomeOf = ({ outcome, status }: Pick<Attempt, 'outcome' | 'status'>): string =>
  status === null ? outcomes[outcome] : `${outcomes[outcome]}, answer ${status}`
