/** The attempts at a delivery, each with its outcome in words. */
import type { Attempt } from '../../../operations/operator/messages/deliveries.ts'
import { localTime } from '../../shared/format.ts'
import { t } from '../../words/words.ts'

export const Attempts = ({ attempts }: { attempts: readonly Attempt[] }) => (
  <ol class="attempts">
    {attempts.map((attempt) => (
      <li key={attempt.attemptNumber}>
        {t(attempt.trigger === 'manual' ? 'attempt.byHand' : 'attempt.line', {
          number: attempt.attemptNumber,
          outcome: outcomeOf(attempt),
        })}
        <small> {t('attempt.took', { time: localTime(attempt.startedAt), ms: attempt.durationMs })}</small>
        {attempt.answer && <code class="answer">{attempt.answer}</code>}
      </li>
    ))}
  </ol>
)

const outcomes: Readonly<Record<string, string>> & Readonly<Record<Attempt['outcome'], string>> = {
  delivered: t('attempt.delivered'),
  http: t('attempt.http'),
  timeout: t('attempt.timeout'),
  connection: t('attempt.connection'),
  dns: t('attempt.dns'),
  tls: t('attempt.tls'),
  blocked_target: t('attempt.blocked_target'),
}

/** Returns how an attempt without an answer ended, in words. */
export const endInWords = (outcome: string): string => outcomes[outcome] ?? outcome

/** Says how an attempt ended, such as `refused, answer 500`. */
export const outcomeOf = ({ outcome, status }: Pick<Attempt, 'outcome' | 'status'>): string =>
  status === null ? outcomes[outcome] : t('attempt.answered', { outcome: outcomes[outcome], status: String(status) })
