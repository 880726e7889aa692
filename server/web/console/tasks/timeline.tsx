/** The story of a task, in order: one sentence per act, and how its events reached each receiver. */
import type { TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { exactTime } from '../../shared/format.ts'
import { t } from '../../words/words.ts'
import { Attempts } from '../deliveries/attempts.tsx'
import { EndedBy } from '../deliveries/ended-by.tsx'
import { NextAttempt } from '../deliveries/next-attempt.tsx'
import { Redeliver } from '../deliveries/redeliver.tsx'
import { Status } from './status.tsx'
import { storyInWords } from './story-words.ts'

interface TimelineProps {
  file: TaskFile
  onChange(): Promise<void>
}

export function Timeline({ file: { story, deliveries }, onChange }: TimelineProps) {
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  return (
    <section class="timeline" aria-labelledby="timeline">
      <h2 id="timeline">{t('timeline.title')}</h2>
      <ol>
        {story.map((entry) => {
          const { at, kind, sentence, status, deliveryId } = entry
          const delivery = deliveryId === null ? undefined : byId.get(deliveryId)
          return (
            <li key={`${at} ${kind} ${deliveryId} ${sentence}`}>
              <time dateTime={at}>{exactTime(at)}</time>
              <div>
                {storyInWords(entry)} {status && <Status status={status} />}
                {delivery && <Sending delivery={delivery} onChange={onChange} />}
              </div>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function Sending({ delivery, onChange }: { delivery: TaskFile['deliveries'][number]; onChange(): Promise<void> }) {
  return (
    <div class="told">
      <p>
        <small>
          {t('timeline.delivery', { delivery: String(delivery.id), subscription: String(delivery.subscriptionId) })}
        </small>{' '}
        <NextAttempt delivery={delivery} />
        <EndedBy delivery={delivery} />
      </p>
      <details open={delivery.state !== 'delivered'}>
        <summary>{t('delivery.attempts')}</summary>
        <Attempts attempts={delivery.log} />
      </details>
      <Redeliver delivery={delivery} onDone={onChange} />
    </div>
  )
}
