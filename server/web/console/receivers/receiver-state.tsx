/** How a receiver is doing, in words. */
import type { Receiver } from '../../../operations/operator/messages/receivers.ts'
import { localTime } from '../../shared/format.ts'
import { t } from '../../words/words.ts'
import { endInWords } from '../deliveries/attempts.tsx'

export function ReceiverState({ receiver }: { receiver: Receiver }) {
  const [badge, state, detail] = wordsOf(receiver)
  return (
    <>
      <span class={`badge ${badge}`}>{state}</span>
      {detail && <small>{detail}</small>}
    </>
  )
}

function wordsOf({
  isActive,
  updatedAt,
  pause,
  lastAttempt,
}: Receiver): [badge: string, state: string, detail: string] {
  if (!isActive) return ['cancelled', t('receiver.state.off'), t('receiver.since', { time: localTime(updatedAt) })]
  if (pause)
    return [
      'failed',
      t('receiver.state.paused'),
      t(pause.isDown ? 'receiver.untilDown' : 'receiver.untilBusy', { time: localTime(pause.until) }),
    ]
  if (!lastAttempt) return ['waiting', t('receiver.state.none'), '']
  return lastAttempt.outcome === 'delivered'
    ? ['delivered', t('receiver.state.healthy'), '']
    : ['failed', t('receiver.state.failing'), t('receiver.lastFailed')]
}

/** The last answer: its status, or how the attempt ended without one. */
export const lastAnswer = ({ lastAttempt }: Receiver): string =>
  lastAttempt
    ? t('receiver.answer', {
        answer: lastAttempt.status === null ? endInWords(lastAttempt.outcome) : String(lastAttempt.status),
        time: localTime(lastAttempt.startedAt),
      })
    : ''

export const receiverName = ({ description, origin }: Receiver): string => description?.trim() || new URL(origin).host
