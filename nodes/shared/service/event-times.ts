/** When outcomes came about, by the events of a service, for nodes that read tasks and receive no events. */
import type { StatusEvent } from '../../../lib/contract/event.ts'

export type EventTime = Pick<StatusEvent, 'taskId' | 'status' | 'occurredAtUtc'>

export interface EventTimes {
  note(event: EventTime): void
  /** Returns the time of the last event of the task when that reported this status; undefined otherwise. */
  of(taskId: number, status: string): string | undefined
}

/** Outcomes mostly leave the wait a moment after their event. */
const REMEMBERED = 10_000

export function createEventTimes(): EventTimes {
  const events = new Map<number, { status: string; occurredAtUtc: string }>()
  return {
    note({ taskId, status, occurredAtUtc }) {
      events.delete(taskId)
      events.set(taskId, { status, occurredAtUtc })
      const [oldest] = events.keys()
      if (events.size > REMEMBERED && oldest !== undefined) events.delete(oldest)
    },
    of(taskId, status) {
      const last = events.get(taskId)
      return last?.status === status ? last.occurredAtUtc : undefined
    },
  }
}
