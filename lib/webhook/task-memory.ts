/** Remembers the last status of each task that was handed over, to tell news from repetitions. Ids, statuses and times only. */

import { isFinal, type TaskStatus } from '../contract/task/task.ts'
import { utcTime } from '../contract/utc-time.ts'
import type { Journal } from '../journal/journal.ts'

/** A change of a task's status. */
export interface Change {
  /** The status that the task came to. */
  status: TaskStatus
  /** When the task changed, as the service said: UTC, ISO 8601. */
  occurredAtUtc: string
}

/** Remembers the last change of each task that was handed over. */
export interface TaskMemory {
  /** Undefined for a task that is not remembered. */
  lastChange(taskId: number): Promise<Change | undefined>
  /** Remembers a change, unless a later one of the task is known. */
  remember(taskId: number, change: Change): Promise<void>
  /** Remembers a task as Received, unless it is remembered already. */
  begin(taskId: number, occurredAtUtc: string): Promise<void>
  /** Removes what is remembered of a task. */
  forget(taskId: number): Promise<void>
  /** The tasks whose last known status is not final. */
  open(): AsyncIterable<[taskId: number, last: Change]>
}

/** How long a task is remembered after its last change. Documents wait for months at times. */
const REMEMBERED_MS = 400 * 86_400_000

/** Keeps its entries in the journal of a once-store, under keys of its own. */
export function createTaskMemory(journal: Journal): TaskMemory {
  const keyOf = (taskId: number) => `task:${taskId}`
  return {
    lastChange: (taskId) => journal.get<Change>(keyOf(taskId)),
    async remember(taskId, { status, occurredAtUtc }) {
      const change: Change = { status, occurredAtUtc }
      // Another process may have handed a later change of the task over in the meantime.
      const decide = (known?: Change) => (compareChange(known, change) === 'news' ? change : undefined)
      await journal.change<Change>(keyOf(taskId), decide, REMEMBERED_MS)
    },
    async begin(taskId, occurredAtUtc) {
      const received: Change = { status: 'Received', occurredAtUtc }
      await journal.change<Change>(keyOf(taskId), (known) => (known ? undefined : received), REMEMBERED_MS)
    },
    forget: (taskId) => journal.delete(keyOf(taskId)),
    async *open() {
      for await (const [key, change] of journal.entries<Change>())
        if (key.startsWith('task:') && !isFinal(change.status)) yield [Number(key.slice('task:'.length)), change]
    },
  }
}

/**
 * Whether a change is news after the last one that was handed over. A task enters each status at most once, so the same
 * status again is the same change under another event id. A final status is never left; otherwise the later time wins,
 * because callbacks may overtake each other. spec: Events › Delivery behavior
 */
export function compareChange(last: Change | undefined, next: Change): 'news' | 'repeated' | 'stale' {
  if (!last) return 'news'
  if (last.status === next.status) return 'repeated'
  if (isFinal(last.status)) return 'stale'
  if (isFinal(next.status)) return 'news'
  return utcTime(next.occurredAtUtc) >= utcTime(last.occurredAtUtc) ? 'news' : 'stale'
}
