/** When a delivery goes out next, and what it waits for. */
import type { Delivery } from '../../../operations/operator/messages/deliveries.ts'
import { localTime } from '../../shared/format.ts'

export function NextAttempt({ delivery: { nextAttemptAt, heldBy } }: { delivery: Delivery }) {
  if (!nextAttemptAt) return null
  if (!heldBy) return <small>next attempt {localTime(nextAttemptAt)}</small>
  const because = heldBy.reason === 'down' ? 'is not responding' : 'is overloaded'
  return (
    <small>
      paused until {localTime(heldBy.until)}, because the receiver {because}
    </small>
  )
}
