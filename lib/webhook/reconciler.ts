/**
 * Finds what callbacks missed: reads the tasks that are not final and feeds each change that nobody told of through the same
 * once-only path. It never repeats a change that a callback already brought.
 */
import { createHash } from 'node:crypto'
import { spread } from '../back-off.ts'
import type { Client } from '../client/client.ts'
import { RefusedError } from '../client/errors.ts'
import { type Clock, systemClock } from '../clock.ts'
import { EVENT_TYPE, type StatusEvent } from '../contract/event.ts'
import { utcTime } from '../contract/primitives.ts'
import type { Task } from '../contract/task/task.ts'
import type { Receiver } from './receiver.ts'
import type { TaskMemory } from './task-memory.ts'

export interface ReconcilerOptions {
  client: Pick<Client, 'readTask'>
  receiver: Pick<Receiver, 'accept' | 'resume'>
  /** `store.tasks` of the receiver's store. */
  tasks: TaskMemory
  /** Learns of failed looks; 401 and 403 end the round, 404 forgets the task. */
  onError?: (error: unknown, taskId?: number) => unknown
  /** Between two rounds, ±20 %. */
  intervalMs?: number
  /** A task is left alone until its last change is this old: callbacks under way come first. */
  quietMs?: number
  /** Looks at once. */
  concurrency?: number
  clock?: Clock
  /** From 0 to 1. */
  random?: () => number
}

export interface Round {
  looked: number
  changed: number
  failed: number
}

export interface Reconciler {
  /** Makes a task known that no event told of yet; call it after a create. */
  track(taskId: number): Promise<void>
  /** One round, now. Rounds do not overlap: a call during a round gets that round's result. */
  reconcile(): Promise<Round>
  /** Rounds from now on, until `close`. */
  start(): void
  close(): void
}

export function createReconciler({
  client,
  receiver,
  tasks,
  onError,
  intervalMs = 600_000,
  quietMs = 600_000,
  concurrency = 4,
  clock = systemClock,
  random = Math.random,
}: ReconcilerOptions): Reconciler {
  let cancel: (() => void) | undefined
  let stop = new AbortController()
  let round: Promise<Round> | undefined

  const report = (error: unknown, taskId?: number) => {
    ;(async () => onError?.(error, taskId))().catch(() => {})
  }

  async function reconcile(signal: AbortSignal): Promise<Round> {
    const result: Round = { looked: 0, changed: 0, failed: 0 }
    await receiver.resume()
    const iterator = tasks.open()[Symbol.asyncIterator]()
    let isRefused = false
    const looker = async () => {
      for (let next = await iterator.next(); !next.done && !isRefused; next = await iterator.next()) {
        if (signal.aborted) return
        const [taskId, last] = next.value
        if (clock.now() - utcTime(last.occurredAtUtc) < quietMs) continue
        result.looked++
        try {
          const task = await client.readTask({ params: { id: taskId } }, { signal })
          if (task.status === last.status) continue
          const outcome = await receiver.accept(changeOf(task, clock.now()), 'reconciler')
          if (outcome === 'accepted') result.changed++
        } catch (failure) {
          if (signal.aborted) return
          result.failed++
          isRefused ||= failure instanceof RefusedError && (failure.status === 401 || failure.status === 403)
          if (failure instanceof RefusedError && failure.status === 404) await tasks.forget(taskId).catch(report)
          report(failure, taskId)
        }
      }
    }
    await Promise.all(Array.from({ length: concurrency }, looker))
    return result
  }

  const once = () => {
    round ??= reconcile(stop.signal).finally(() => {
      round = undefined
    })
    return round
  }

  const next = () => {
    cancel = clock.after(spread(intervalMs, random()), () => {
      once()
        .catch(report)
        .then(() => cancel && next())
    })
  }

  return {
    track: (taskId) => tasks.begin(taskId, new Date(clock.now()).toISOString()),
    reconcile: once,
    start() {
      if (cancel) return
      stop = new AbortController()
      next()
    },
    close() {
      cancel?.()
      cancel = undefined
      stop.abort()
    },
  }
}

/** The event that would have told of this status. Its id depends on nothing else, so that it too is handed over once. */
function changeOf(task: Task, now: number): StatusEvent {
  return {
    eventId: guidOf(`${task.taskId} ${task.status}`),
    eventType: EVENT_TYPE,
    taskId: task.taskId,
    documentId: task.documentId ?? null,
    status: task.status,
    statusReason: task.statusReason ?? task.output?.statusReason ?? null,
    occurredAtUtc: task.updatedAt ?? new Date(now).toISOString(),
  }
}

/** A GUID of version 8, which RFC 9562 leaves to applications. */
function guidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
