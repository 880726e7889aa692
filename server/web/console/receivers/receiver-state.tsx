/** How a receiver is doing, in words. */
import type { Receiver } from '../../../operations/operator/messages/receivers.ts'
import { localTime } from '../../shared/format.ts'

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
  if (!isActive) return ['cancelled', 'off', `Since ${localTime(updatedAt)}`]
  if (pause)
    return [
      'failed',
      'paused',
      `Until ${localTime(pause.until)}: ${pause.isDown ? 'most recent callbacks failed' : 'overloaded'}`,
    ]
  if (!lastAttempt) return ['waiting', 'no callback yet', '']
  return lastAttempt.outcome === 'delivered'
    ? ['delivered', 'healthy', '']
    : ['failed', 'failing', 'The last callback failed']
}

/** The last answer: its status, or how the attempt ended without one. */
export const lastAnswer = ({ lastAttempt }: Receiver): string =>
  lastAttempt
    ? `${lastAttempt.status ?? lastAttempt.outcome.replaceAll('_', ' ')}, ${localTime(lastAttempt.startedAt)}`
    : ''

export const receiverName = ({ description, origin }: Receiver): string => description?.trim() || new URL(origin).host
