/** Sends a receiver a test event at once, signed as always: its answer shows whether callbacks will arrive. choice: Test events */
import type { Clock } from '../../../lib/clock.ts'
import { EVENT_TYPE } from '../../../lib/contract/callback.ts'
import type { StatusEvent } from '../../../lib/contract/event.ts'
import { TEST_EVENT_TASK } from '../../choices.ts'
import type { TestAnswer } from '../../domain/delivery/attempt.ts'
import type { Store } from '../../store/store.ts'
import type { Poster } from './post.ts'

export interface TestEventParts {
  store: { receivers: Pick<Store['receivers'], 'reach'> }
  poster: Pick<Poster, 'post'>
  /** The real time, in which receivers live. */
  clock: Clock
  newId(): string
}

/** Returns what sends it. That resolves with null where there is no such receiver, or its name got no turn to be looked up. */
export const createTestEvents =
  ({ store, poster, clock, newId }: TestEventParts) =>
  async (subscriptionId: number, at: Date): Promise<TestAnswer | null> => {
    const receiver = await store.receivers.reach(subscriptionId, at)
    if (!receiver) return null
    const eventId = newId()
    const event: StatusEvent = {
      eventId,
      eventType: EVENT_TYPE,
      taskId: TEST_EVENT_TASK,
      documentId: null,
      status: 'Pending',
      statusReason: 'Test event: there is no such task.',
      occurredAtUtc: at.toISOString(),
    }
    const body = Buffer.from(JSON.stringify(event))
    const began = clock.now()
    const reply = await poster.post({ ...receiver, body, eventId, attemptNumber: 1 }, new AbortController().signal)
    if (!reply) return null
    const { outcome, status, answer } = reply
    return { outcome, status, answer, durationMs: Math.max(0, clock.now() - began) }
  }
