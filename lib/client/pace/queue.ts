/** Tells how many calls wait for a host, and for how long: when the first begins to wait, each second, and when none does. */
import type { Clock } from '../../clock.ts'
import { createAlarm } from './alarm.ts'

/** The calls that wait because the host takes no more for now. */
export interface Queue {
  /** `rateLimited`: there were too many (429). `busy`: the host asks to wait for another reason (503). */
  reason: 'rateLimited' | 'busy'
  /** How many calls wait. */
  count: number
  /** Milliseconds until the last of them is likely to be sent. */
  ms: number
}

const TICK_MS = 1000

/** Returns a function to call after each change of the queue, which `queueNow` reads; null when no call waits for the host. */
export function queueTeller(
  queueNow: () => Queue | null,
  onQueue: (queue: Queue | null) => void,
  clock: Clock,
): () => void {
  let isTold = false
  const alarm = createAlarm(clock, tell)

  function tell(): void {
    const queue = queueNow()
    if (queue || isTold) onQueue(queue)
    isTold = queue !== null
    alarm.set(isTold ? clock.now() + TICK_MS : undefined)
  }

  return () => {
    if (!isTold) tell()
  }
}
